"""Kernels of a distance that is learned: the definition, and when there are none."""

import naive_metric
import numpy as np
import pytest

import kernelpick
from kernelpick import KernelClassifier, KernelRegressor, core, river
from kernelpick.core import Specification
from kernelpick.core.kernels.gaussian import Gaussian
from kernelpick.core.kernels.learned import LearnedMetric, LearnedScales
from kernelpick.core.spaces.augmented import squash
from kernelpick.online import grids, metric

RNG = np.random.default_rng(5)
X = RNG.normal(size=(900, 6))
ALONG = X @ np.array([1.0, -1.0, 0.5, 0, 0, 0]) / 1.5
Y = np.sin(1.5 * ALONG) + 0.05 * RNG.normal(size=900)
SMALL = {"n_features": 32, "random_state": 3}


@pytest.mark.parametrize("outputs", [1, 2])
def test_it_is_what_the_page_says(outputs):
    """The best arm's mean gradient outer product, its roots, and the widths of four arms that follow."""
    rows = X[:200]
    spec = Specification(
        "auto", "square", 6, tuple(Gaussian(w) for w in (0.8, 1.6, 3.2, 6.4, 12.8)), outputs, n_features=8
    )
    state, _ = core.advance(spec, core.start(spec), rows, np.column_stack([Y[:200], X[:200, 3]])[:, :outputs])
    arm, learned = state.leader, metric.learned(metric.outer_product(state, rows), 6)
    found = metric.with_metric(spec, learned, arm, state.losses, rows)
    omega = state.space.frequencies[0].T / spec.kernels[arm].width
    weights = state.learner.hypothesis(state.space, arm, state.seat(arm))
    for kind, plain in zip((LearnedMetric, LearnedScales), naive_metric.roots(omega, weights, rows), strict=True):
        assert np.abs(learned.roots[kind] - plain).max() < 1e-8
        sample = squash(rows[np.unique(np.linspace(0, 199, 128).astype(int))]) @ plain
        expected = naive_metric.median_distance(sample) * grids.factors()[arm]
        widths = [kernel.width for kernel in found.kernels if type(kernel) is kind]
        assert widths == pytest.approx([0.5 * expected, expected])
    assert len(found.kernels) == 8
    worst = int(np.argmax(state.losses))
    assert set(spec.kernels) - set(found.kernels) == {spec.kernels[worst]}
    start = learned.started(lambda: core.start(found), found.kernels)
    plain = core.start(found).space.frequencies[0]
    assert np.array_equal(start.space.frequencies[0], plain)
    assert np.allclose(start.space.frequencies[1], learned.roots[LearnedMetric] @ plain)
    assert np.allclose(start.space.frequencies[2], learned.roots[LearnedScales] @ plain)


def test_it_gains_where_few_directions_matter():
    alone = SMALL | {"forgetting": 1, "companions": ()}
    model, fixed = KernelRegressor(**alone), KernelRegressor(**alone, kernels=[0.8, 1.6, 3.2])
    errors = [np.mean((one.progressive_fit(X, Y) - Y)[512:] ** 2) for one in (model, fixed)]
    assert errors[0] < 0.7 * errors[1]
    assert type(model.kernels_[model._model.state.leader]) in (LearnedMetric, LearnedScales)
    assert all(type(kernel) is Gaussian for kernel in fixed.kernels_)  # who gives kernels gets no others


def test_a_change_of_direction_is_followed_by_another_metric():
    """However rows are cut, and as well as by a model that starts with the change."""
    generator = np.random.default_rng(8)
    rows = generator.normal(size=(5200, 6))
    along = np.where(np.arange(5200) < 2600, rows[:, 0] + rows[:, 1], rows[:, 2] - rows[:, 3])
    y = np.sin(1.2 * along) + 0.05 * generator.normal(size=5200)
    options = SMALL | {"companions": ()}
    whole, pieces, fresh = (KernelRegressor(**options) for _ in range(3))
    said = whole.progressive_fit(rows, y)
    parts = [pieces.progressive_fit(rows[a : a + 700], y[a : a + 700]) for a in range(0, 5200, 700)]
    assert (np.concatenate(parts) == said).all()
    assert [one.round for one in whole.history_ if one.why == "fit" and one.round > 2600]
    young = fresh.progressive_fit(rows[2600:], y[2600:])
    assert np.mean((said - y)[-1000:] ** 2) < 1.25 * np.mean((young - y[2600:])[-1000:] ** 2)


def test_before_the_last_fit_there_is_none_nor_where_nothing_moves():
    model = KernelRegressor(**SMALL).partial_fit(X[:511], Y[:511])
    assert len(model.kernels_) == 5
    assert len(model.partial_fit(X[511:512], Y[511:512]).kernels_) == 8
    assert len(KernelRegressor(**SMALL).partial_fit(X, np.full(900, 3.0)).kernels_) == 5


def test_saved_models_and_late_columns_go_on():
    model = KernelClassifier(**SMALL).partial_fit(X[:600], Y[:600] > 0, classes=[False, True])
    again = kernelpick.from_bytes(model.to_bytes())
    assert again.kernels_ == model.kernels_
    assert (again.predict_proba(X[600:]) == model.predict_proba(X[600:])).all()
    rows = [dict(enumerate(row)) for row in X.tolist()]
    stream = river.KernelRegressor(seed=3, n_features=16)
    for x, y in zip(rows[:520], Y.tolist(), strict=False):
        stream.learn_one(x, y)
    assert len(stream.kernels_) == 8
    for i, (x, y) in enumerate(zip(rows[520:700], Y[520:700].tolist(), strict=True)):
        stream.learn_one(x | {"late": float(i % 7)}, y)
    assert np.isfinite(stream.predict_one(rows[700]))
