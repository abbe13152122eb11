"""Regression with several targets: each as it would be alone, but for the choice of the kernel that they share."""

import numpy as np
import pytest

import kernelpick
from kernelpick import KernelRegressor

pandas = pytest.importorskip("pandas")
pytest.importorskip("river")
from kernelpick import river  # noqa: E402

RNG = np.random.default_rng(0)
X = RNG.uniform(-1, 1, size=(900, 2))
Y = np.column_stack([1000 + 300 * np.sin(3 * X[:, 0]), 0.01 * X[:, 1] ** 2])


@pytest.mark.parametrize("algorithm", ["auto", "rf-oks++"])
def test_with_one_kernel_each_is_what_it_is_alone(algorithm):
    """P, and with it every step, is common to targets of the square loss: nothing differs but rounding. Trees of
    several targets are grown in turn, and memories have shares in common, so these are left out."""
    settings = {"kernels": [1.0], "n_features": 32, "random_state": 0, "companions": (), "forgetting": 1.0}
    both = KernelRegressor(algorithm, **settings)
    said = both.progressive_fit(X, Y)
    if algorithm == "auto":
        alone = [KernelRegressor(algorithm, **settings) for _ in range(2)]
        each = np.column_stack([one.progressive_fit(X, y) for one, y in zip(alone, Y.T, strict=True)])
        assert said == pytest.approx(each, rel=1e-6)
        assert both.loss_ == pytest.approx(np.mean([one.loss_ for one in alone]), rel=1e-6)
    assert both.predict(X).shape == (900, 2)
    assert (((both.predict(X) - Y) ** 2).mean(0) < 0.3 * Y.var(0)).all()


def test_cuts_files_weights_and_tickets(tmp_path):
    whole, pieces = (KernelRegressor(n_features=16, random_state=1) for _ in range(2))
    said = whole.progressive_fit(X, Y)
    parts = []
    for start, stop in ((0, 5), (5, 300), (300, 511), (511, 700), (700, 900)):
        parts.append(pieces.progressive_fit(X[start:stop], Y[start:stop]))
        pieces.save(tmp_path / "model")
        pieces = kernelpick.load(tmp_path / "model")
    assert (np.concatenate(parts) == said).all() and whole.to_bytes() == pieces.to_bytes()
    ticket = whole.ask(X[0])
    assert np.shape(ticket.prediction) == (2,) and ticket.prediction == pytest.approx(whole.predict(X[:1])[0].tolist())
    assert whole.tell(ticket, Y[0]).n_rounds_ == 901
    with pytest.raises(ValueError, match="A ticket has 2 targets, not 1"):
        whole.tell(whole.ask(X[0]), 3.0)
    with pytest.raises(ValueError, match="y has 1 columns where this model has 2 targets"):
        whole.partial_fit(X, Y[:, 0])
    with pytest.raises(ValueError, match=r"y\[3\] is nan"):
        whole.partial_fit(X[:9], np.where(np.arange(9)[:, None] == 3, np.nan, Y[:9]))


def test_a_row_that_lacks_one_target_is_not_learned():
    gaps = Y.copy()
    gaps[::10, 1] = np.nan
    model = KernelRegressor("rf-oks++", n_features=16, missing_label="skip", random_state=0)
    assert model.progressive_fit(X, gaps).shape == (900, 2) and model.n_rounds_ == 810


def test_river_takes_a_dict_of_them():
    ours, frames = (river.KernelRegressor(n_features=16, seed=0) for _ in range(2))
    rows = [{"a": float(a), "b": float(b)} for a, b in X]
    targets = [{"wide": float(w), "narrow": float(n)} for w, n in Y]
    for x, y in zip(rows, targets, strict=True):
        ours.learn_one(x, y)
    frames.learn_many(pandas.DataFrame(rows[:500]), pandas.DataFrame(targets[:500]))
    frames.learn_many(pandas.DataFrame(rows[500:]), pandas.DataFrame(targets[500:])[["narrow", "wide"]])
    assert frames.to_bytes() == ours.to_bytes() == kernelpick.from_bytes(ours.to_bytes()).to_bytes()
    said = kernelpick.from_bytes(ours.to_bytes()).predict_one(rows[3])
    assert set(said) == {"wide", "narrow"} and said["wide"] == pytest.approx(targets[3]["wide"], abs=60)
    many = ours.predict_many(pandas.DataFrame(rows[:5]))
    assert many.to_dict("records")[3] == pytest.approx(said)
    ticket = ours.ask(rows[0])
    assert ours.tell(ticket, targets[0]).n_rounds_ == 901 and set(ticket.prediction) == {"wide", "narrow"}
    for wrong, sentence in (
        (3.0, "has the targets .* give them as a dict"),
        ({"wide": 1.0}, r"The targets \['wide'\] are given to a model of the targets"),
        ({"wide": 1.0, "narrow": None}, r"y\['narrow'\] is None"),
        ({"wide": 1.0, "narrow": "x"}, "'narrow' is 'x' where a finite number"),
    ):
        with pytest.raises(ValueError, match=sentence):
            ours.learn_one(rows[0], wrong)
    single = river.KernelRegressor(n_features=16, seed=0)
    single.learn_one(rows[0], 1.0)
    with pytest.raises(ValueError, match="a model of a single target"):
        single.learn_one(rows[0], targets[0])
    assert ours.n_rounds_ == 901 and single.n_rounds_ == 1
