"""Companions in the models of both faces: what is said; late labels, classes and columns; files; parts of others."""

import copy
import pickle
from dataclasses import replace
from typing import Annotated, NamedTuple

import numpy as np
import pytest
from companions.stepwise import steps, trees_of

import kernelpick
from kernelpick import Gaussian, KernelClassifier, KernelRegressor, core
from kernelpick.core.companions.growing import BEGUN, COUNT, TREES
from kernelpick.core.parts import PARTS
from kernelpick.extend import Axes, companion, done_at_once
from kernelpick.files import container
from kernelpick.files.container import ModelFileError
from kernelpick.online.companions import Companions


def cut(model, X, y, sizes, classes=None):
    """Progressive predictions in pieces of these sizes, through a file after each third piece."""
    said, at, more = [], 0, {} if classes is None else {"classes": classes}
    for i, size in enumerate(sizes):
        said.append(model.progressive_fit(X[at : at + size], y[at : at + size], **more))
        at, more = at + size, {}
        if i % 3 == 0:
            model = kernelpick.from_bytes(model.to_bytes())
    return np.concatenate(said), model


def test_steps_are_learned_better_with_trees_and_their_weight_is_told():
    X, y = steps(2000)
    alone, both = KernelRegressor(companions=(), random_state=0), KernelRegressor(random_state=0)
    errors = [((model.progressive_fit(X, y) - y)[800:] ** 2).mean() for model in (alone, both)]
    assert errors[1] < 0.5 * errors[0]
    assert both.loss_ < 0.7 * alone.loss_  # of all rounds, 800 of which have few trees or none
    assert alone.companions_ == {"kernels": 1.0}
    assert list(both.companions_) == ["kernels", "trees"] and both.companions_["trees"] > 0.5
    assert "trees" in both._panel() and "trees" not in alone._panel()
    assert 0.87 < both.coverage_ < 0.93 and both.interval_width_ < alone.interval_width_


def test_before_there_are_trees_kernels_speak_alone():
    X, y = steps(600)
    alone, both = KernelRegressor(companions=(), random_state=0), KernelRegressor(random_state=0)
    first = alone.progressive_fit(X[:513], y[:513]), both.progressive_fit(X[:513], y[:513])
    assert np.array_equal(first[0][:512], first[1][:512]) and first[0][512] != first[1][512]
    fewer = KernelRegressor(random_state=0).fit(X[:300], y[:300])
    assert fewer.companions_ == {"kernels": 1.0, "trees": 0.0}
    fewer.partial_fit(X[300:520], y[300:520])
    assert fewer.companions_["trees"] > 0.0 and trees_of(fewer).clock[COUNT] == 520


@pytest.mark.parametrize("size", [1, 200, 512])
def test_no_trees_are_grown_for_a_fit_that_gives_them_up(monkeypatch, size):
    """The row with which a fit is due teaches companions nothing, and is answered as ever."""
    begun, usual, (X, y) = [], Companions.start_again, steps(513)

    def noted(self):
        begun.append(int(self.parts[0].clock[BEGUN]))
        usual(self)

    monkeypatch.setattr(Companions, "start_again", noted)
    model = KernelRegressor(random_state=0)
    for at in range(0, 513, size):
        model.partial_fit(X[at : at + size], y[at : at + size])
    assert begun == [0, 0, 0]


@pytest.mark.parametrize("kind", ["numbers", "two", "three", "targets"])
def test_bits_do_not_depend_on_the_cut_nor_on_files_in_between(kind):
    X, y = steps(1500)
    if kind in ("two", "three"):
        y = np.digitize(y, [30.0] if kind == "two" else [30.0, 55.0])
        made, classes = (lambda: KernelClassifier(random_state=0)), np.unique(y)
    else:
        y = np.stack([y, X[:, 1] > 0], axis=1).astype(float) if kind == "targets" else y
        made, classes = (lambda: KernelRegressor(random_state=0)), None
    first = {} if classes is None else {"classes": classes}
    whole = made()
    said = whole.progressive_fit(X, y, **first)
    pieces, last = cut(made(), X, y, [1, 511, 1, 30, 2, 7, 120, 300, 1, 1, 200, 326], classes)
    assert np.array_equal(said, pieces)
    assert whole.to_bytes() == last.to_bytes()
    assert whole.to_bytes() == copy.deepcopy(whole).to_bytes() == pickle.loads(pickle.dumps(whole)).to_bytes()


def test_they_start_again_when_kernels_are_challenged():
    rng = np.random.default_rng(1)
    X, y = steps(5200)
    y[2600:] = 100 * np.sin(3 * X[2600:, 3]) + rng.normal(size=2600)
    whole = KernelRegressor(random_state=0)
    said = whole.progressive_fit(X, y)
    challenges = [entry.round for entry in whole.history_ if entry.why == "challenge"]
    assert challenges and 2600 < challenges[0] < 3200
    assert trees_of(whole).clock[COUNT] == 5200 - challenges[-1]
    pieces, _ = cut(KernelRegressor(random_state=0), X, y, [900, 1700, 33, 67, 200, 1000, 1300])
    assert np.array_equal(said, pieces)


def test_what_is_asked_is_what_is_predicted_and_late_labels_are_learned():
    X, y = steps(1400)
    model = KernelRegressor(random_state=0).partial_fit(X[:800], y[:800])
    before = model.companions_["trees"]
    tickets = [model.ask(row) for row in X[800:1300]]
    assert [ticket.prediction for ticket in tickets] == pytest.approx(model.predict(X[800:1300]).tolist(), rel=1e-12)
    for ticket, target in zip(reversed(tickets), y[800:1300][::-1], strict=True):
        model.tell(ticket, target)
    assert trees_of(model).clock[COUNT] == 1300 and model.companions_["trees"] != before
    fresh = KernelRegressor(random_state=0).partial_fit(X[:800], y[:800])
    errors = [((one.predict(X[1300:]) - y[1300:]) ** 2).mean() for one in (model, fresh)]
    assert errors[0] < errors[1]


def test_a_class_that_comes_late_is_learned_by_the_trees_too():
    X, y = steps(3000)
    label = np.where(y < 35, "low", "high").astype(object)
    late = (np.arange(3000) > 1200) & (X[:, 3] > 1.0)
    label[late] = "late"
    model = KernelClassifier(random_state=0, new_classes="accept")
    model.partial_fit(X[:1200], label[:1200].astype(str))
    values = model.decision_function(X[:50])
    told = np.isfinite(values).all()
    model.partial_fit(X[1200:], label[1200:].astype(str))
    trees = trees_of(model)
    assert told and trees.clock[TREES] > 60 and trees.scores.shape[0] == 3 and len(model.companions_["trees"]) == 3
    assert (trees.shares[: trees.clock[TREES]] == -1.0).any()  # trees of the one output of two classes speak for both
    X, y = steps(500, seed=5)
    truth = np.where(X[:, 3] > 1.0, "late", np.where(y < 35, "low", "high"))
    assert (model.predict(X) == truth).mean() > 0.9


def test_columns_that_come_late_reach_the_trees():
    river = pytest.importorskip("river")
    assert river
    from kernelpick.river import KernelRegressor as RiverRegressor

    X, y = steps(2200, d=3)
    y += np.where(np.arange(2200) > 600, 40.0 * (X[:, 2] > 0.5), 0.0)
    model = RiverRegressor(seed=0)
    for i, (row, target) in enumerate(zip(X.tolist(), y.tolist(), strict=True)):
        x = {"a": row[0], "b": row[1]} | ({"late": row[2]} if i > 600 else {})
        model.learn_one(x, target)
        if i == 1000:
            model = kernelpick.from_bytes(model.to_bytes())
    trees = trees_of(model)
    late = model._fitted.names["late"]
    assert trees.edges[late, 0] < np.inf and (trees.nodes[: trees.clock[TREES], :, 0] == late).any()


def test_above_a_thousand_inputs_there_is_none():
    X = np.random.default_rng(0).normal(size=(20, 1001))
    model = KernelRegressor(random_state=0).partial_fit(X, X[:, 0])
    assert model.companions_ == {"kernels": 1.0}
    assert kernelpick.from_bytes(model.to_bytes()).predict(X[:2]).shape == (2,)


def test_companions_are_chosen_by_name_and_refused_in_a_sentence():
    X, y = steps(600)
    with_oks = KernelRegressor("rf-oks", companions=["trees"], random_state=0).partial_fit(X, y)
    assert with_oks.companions_["trees"] > 0.0
    assert KernelRegressor("rf-oks", random_state=0).partial_fit(X, y).companions_ == {"kernels": 1.0}
    for given, sentence in {
        ("tree",): "Unknown companion 'tree': did you mean 'trees'",
        "trees": "Unknown companions",
        3: "companions must be 'auto' or a list",
        ("trees", "trees"): "must differ from each other",
    }.items():
        with pytest.raises(ValueError, match=sentence):
            KernelRegressor(companions=given).partial_fit(X, y)
    with pytest.raises(ValueError, match="needs a smooth loss, and absolute is not"):
        KernelRegressor("rf-oks", loss="absolute", companions=["trees"]).partial_fit(X, y)


def test_a_companion_from_outside_is_a_part_like_any_other():
    from companions.yesterday import Yesterday

    rng = np.random.default_rng(0)
    X, level = rng.normal(size=(1500, 2)), np.repeat(rng.normal(size=15), 100)
    y = X[:, 0] + 5 * level + 0.1 * rng.normal(size=1500)
    errors = {}
    for companions in ((), (Yesterday,), ["trees", "yesterday"]):
        model = KernelRegressor(random_state=0, companions=companions)
        errors[len(companions)] = ((model.progressive_fit(X, y) - y)[700:] ** 2).mean()
        again = kernelpick.from_bytes(model.to_bytes())
        assert again.companions_ == model.companions_ and np.array_equal(again.predict(X), model.predict(X))
    assert list(model.companions_) == ["kernels", "trees", "yesterday"]
    assert errors[1] < 0.9 * errors[0]
    header, arrays = container.unseal(model.to_bytes())
    assert ["companion", "yesterday"] in header["foreign"]
    header["foreign"] = [["companion", "the day before"]]
    with pytest.raises(ModelFileError, match="the companion 'the day before'"):
        kernelpick.from_bytes(container.seal(header, arrays))


def test_one_that_says_nothing_of_it_is_built_anew_and_keeps_what_it_has_learned():
    @companion("wide")
    @done_at_once
    class Wide(NamedTuple):
        width: int
        sums: Annotated[np.ndarray, Axes("outputs", "parameters")]
        scratch: Annotated[np.ndarray, Axes("padded", given=True)]

        @classmethod
        def build(cls, problem):
            return cls(problem.inputs, np.zeros((problem.outputs, 1 + problem.inputs)), np.zeros(problem.inputs))

        @staticmethod
        def predict(companion, notes, X, row, said):
            said[0] = companion.sums[0, 0]

        @staticmethod
        def learn(companion, notes, loss, X, row, truth, weight, said):
            companion.sums[0, 0] += truth[0]

    try:
        spec = core.Specification("leader-newton", "square", 3, n_features=4, kernels=(Gaussian(1.0),))
        own = Companions(spec, ("wide",))
        own.parts[0].sums[:] = 2.0
        own.widen(replace(spec, n_inputs=9))
        part = own.parts[0]
        assert (part.width, part.sums.shape, part.scratch.shape) == (9, (1, 10), (9,))
        assert part.sums.tolist() == [[2.0] * 4 + [0.0] * 6]
    finally:
        del PARTS["companion"]["wide"]
