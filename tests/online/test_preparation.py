"""What becomes of the first rows."""

import numpy as np
import pytest

from kernelpick import Gaussian, KernelRegressor
from kernelpick.core import Specification
from kernelpick.online import preparation
from kernelpick.online.plan import Plan
from kernelpick.online.preparation import HeldBack, Preparation, Refitted
from kernelpick.online.scaling import SEEN

RNG = np.random.default_rng(3)
X = RNG.normal(size=(80, 2))
Y = 5 + X[:, 0]


def plan(algorithm, kernels=True, scale="standard", target=True):
    return Plan(Specification(algorithm, "square", 2, (Gaussian(1.0),)), kernels, scale, target)


def test_each_plan_has_its_kind():
    assert type(preparation.preparation(plan("auto"))) is Refitted
    assert type(preparation.preparation(plan("auto", False, None, False))) is Refitted
    for one in ((True, None, False), (False, "range", False), (False, None, True)):
        assert type(preparation.preparation(plan("rf-oks++", *one))) is HeldBack
    assert type(preparation.preparation(plan("rf-oks++", False, None, False))) is Preparation


def test_when_the_next_fit_is_and_how_often_fit_passes():
    refitted = preparation.preparation(plan("auto"))
    assert [refitted.next_fit(count) for count in (0, 7, 8, 63, 64, 511)] == [8, 8, 64, 64, 512, 512]
    assert refitted.passes(5) == 1
    once = preparation.preparation(plan("oks"))
    assert once.fits == (32,) and [once.passes(n) for n in (10, 2000, 10**6)] == [100, 5, 3]


def test_only_scales_of_a_fit_do_not_run():
    """They are those of the last fit; all others count rows until they are frozen."""
    for algorithm in ("auto", "rf-oks++"):
        model = KernelRegressor(algorithm, n_features=8, random_state=0).partial_fit(X[:40], Y[:40])._model
        assert model.inputs.running == model.targets.running == (algorithm != "auto")
        before = model.inputs.unit.copy()
        model.learn(X[40:60], Y[40:60, None])
        assert (model.inputs.unit == before).all() == (algorithm == "auto")
    assert (model.inputs.table[SEEN] == 60).all()


@pytest.mark.parametrize("first_fit", [32, 48, 64])
def test_until_the_first_fit_the_mean_is_said_however_late_it_is(monkeypatch, first_fit):
    """With a first fit after row 32, what was said was whatever the memory held."""
    monkeypatch.setattr(preparation, "HELD_BACK", first_fit)
    model = KernelRegressor("rf-oks++", n_features=8, random_state=0)
    np.full((200, 1), 1e300)  # so that fresh memory is not zero by chance
    said = [*model.progressive_fit(X[:20], Y[:20]), *model.progressive_fit(X[20:first_fit], Y[20:first_fit])]
    assert said[0] == 0 and said[1:] == pytest.approx([Y[:t].mean() for t in range(1, first_fit)])
    assert len(model.kernels_) == 6


def test_a_fit_counts_no_loss_twice():
    """Bit for bit: nothing is added and taken away again."""
    model = KernelRegressor(n_features=8, random_state=0).partial_fit(X[:63], Y[:63])
    before, said = model._model.said.sums.copy(), model.predict(X[63:64])
    model.partial_fit(X[63:64], Y[63:64])  # a fit, with 64 rows
    assert model._model.said.weight == 64
    assert model._model.said.sums[0] - before[0] == pytest.approx((said[0] - Y[63]) ** 2, rel=1e-9, abs=1e-12)
