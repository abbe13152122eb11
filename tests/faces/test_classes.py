"""Classes of the scikit-learn face: declared, new, mixed, and what is said before there are kernels."""

import pickle

import numpy as np
import pytest

from kernelpick import KernelClassifier

RNG = np.random.default_rng(5)
X = RNG.normal(size=(300, 4)) * [1, 50, 0.01, 1] + [0, 900, 0, 3]
LABELS = np.where(X[:, 0] > 0.6, "high", np.where(X[:, 0] < -0.6, "low", "middle"))
SMALL = {"n_features": 40, "random_state": 3}


def test_new_classes():
    """What is known of the old classes stays; memories, which begin anew with a class, are left out."""
    plain = {**SMALL, "forgetting": 1.0}
    model = KernelClassifier(**plain).partial_fit(X[:100], np.where(X[:100, 0] > 0, 5, 3), classes=[3, 5])
    with pytest.raises(ValueError, match=r"\[4\] were not declared; the classes are \[3, 5\]"):
        model.partial_fit(X[:2], [3, 4])
    assert model.n_rounds_ == 100
    before = model.decision_function(X)
    model.partial_fit(X[: 0 + 1], [4], classes=[3, 4, 5])
    assert model.classes_.tolist() == [3, 4, 5] and model.decision_function(X).shape == (300, 3)
    with pytest.raises(ValueError, match="leaves out"):
        model.partial_fit(X[:1], [4], classes=[3, 4])
    twin = KernelClassifier(**plain).partial_fit(X[:100], np.where(X[:100, 0] > 0, 5, 3), classes=[3, 5])
    twin._extend(np.array([3, 4, 5]))
    assert twin.decision_function(X) == pytest.approx(np.stack([-before, 0 * before, before], axis=1))


def test_classes_that_appear_are_learned():
    model = KernelClassifier(**SMALL, new_classes="accept")
    model.partial_fit(X[:1], ["middle"])
    assert model.predict(X[:2]).tolist() == ["middle", "middle"]
    for _ in range(15):
        model.partial_fit(X, LABELS)
    assert model.classes_.tolist() == ["high", "low", "middle"]
    assert model.score(X, LABELS) > 0.8
    assert model.predict_proba(X).sum(1) == pytest.approx(1)


@pytest.mark.parametrize(
    ("first", "then"),
    [(["a", "b"], [1, 2]), (["a", "b"], ["a", 3]), ([1, 2], ["a", "b"]), ([1, 2], [1.0, "x"])],
)
def test_labels_that_cannot_be_sorted_together_are_refused(first, then):
    """They made an endless loop: numbers among strings become strings, which the numbers are not."""
    model = KernelClassifier(**SMALL, new_classes="accept").partial_fit(X[:2], first)
    before = pickle.dumps(model)
    then = np.array(then, dtype=object if len({type(label) for label in then}) > 1 else None)
    for call in (
        lambda: model.partial_fit(X[: len(then)], then),
        lambda: model.partial_fit(X[:2], first, classes=[*first, *then]),
        lambda: model.progressive_fit(X[: len(then)], then),
    ):
        with pytest.raises(ValueError):
            call()
    assert pickle.dumps(model) == before
    ticket = model.ask(X[0])
    with pytest.raises(ValueError, match="can't join the classes"):
        model.tell(ticket, then[-1])
    assert model.tell(ticket, first[0]).classes_.tolist() == first
    assert model.partial_fit(X[2:3], first[:1]).n_rounds_ == 4


@pytest.mark.parametrize("algorithm", ["auto", "rf-oks++"])
def test_probabilities_before_there_are_kernels_are_shares_of_the_classes(algorithm):
    model = KernelClassifier(algorithm, **SMALL).partial_fit(X[:1], ["b"], classes=["a", "b"])
    assert model.predict_proba(X[:2]).tolist() == [[1 / 3, 2 / 3]] * 2
    model.partial_fit(X[1:5], ["a", "b", "b", "b"])
    assert model.predict_proba(X[:1])[0] == pytest.approx([2 / 7, 5 / 7])
    model.partial_fit(X[5:6], ["c"], classes=["a", "b", "c"])
    assert model.predict_proba(X[:1])[0] == pytest.approx([2 / 9, 5 / 9, 2 / 9])
    asked = KernelClassifier(algorithm, **SMALL)
    asked.ask(X[0], classes=[1, 2, 3, 4])
    assert asked.predict_proba(X[:1]).tolist() == [[0.25] * 4]
    alone = KernelClassifier(algorithm, **SMALL, new_classes="accept").partial_fit(X[:2], [7, 7])
    assert alone.predict_proba(X[:1]).tolist() == [[1.0]]
