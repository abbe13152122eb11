"""The streams are what is said of them."""

import numpy as np
import pytest

import kernelpick
from kernelpick.lab.regret.streams import BAIT, MADE_UP, NamedStream, named


def least(stream, arm, kernels=6, rounds=300):
    X, y = stream.rows(rounds)
    return kernelpick.best_in_hindsight(X, y, stream.kernels(kernels)[arm], loss="square")


@pytest.mark.parametrize("arm", range(6))
def test_every_kernel_fits_the_planted_target_in_its_ball(arm):
    assert least(NamedStream("planted"), arm).loss < 1e-6


def test_half_of_the_kernels_do_not_fit():
    _, y = NamedStream("misfits").rows(300)
    losses = [least(NamedStream("misfits"), arm).loss for arm in range(6)]
    assert max(losses[3:]) < 1e-6 and min(losses[:3]) > 0.3 * (y**2).sum()


def test_noise_has_its_size():
    (_, y), (_, clean) = NamedStream("noise").rows(2000), NamedStream("planted").rows(2000)
    assert np.std(y - clean) == pytest.approx(0.1, rel=0.05)


def test_who_loses_at_first_in_the_trap_is_the_best_in_the_end():
    X, y = NamedStream("trap").rows(500)
    *narrow, wide = NamedStream("trap").kernels(3)

    def least(kernel, rows):
        return kernelpick.best_in_hindsight(X[rows], y[rows], kernel, loss="square", tolerance=1e-3).loss

    before, after, whole = slice(0, 300), slice(300, 500), slice(0, 500)
    assert least(wide, before) == pytest.approx((y[before] ** 2).sum(), rel=0.05) and least(wide, after) < 2
    assert all(least(kernel, before) < 0.01 * least(wide, before) for kernel in narrow)
    assert all(least(wide, whole) < 0.7 * least(kernel, whole) for kernel in narrow)


def test_the_mixed_trap_has_the_same_rows():
    trap, mixed = (np.column_stack(NamedStream(name).rows(500)) for name in ("trap", "trap-mixed"))
    assert not np.array_equal(trap, mixed)
    assert np.array_equal(trap[np.lexsort(trap.T)], mixed[np.lexsort(mixed.T)])


def played(name, algorithm, **options):
    X, y = NamedStream(name).rows(2000)
    problem = {"loss": "square", "kernels": NamedStream(name).kernels(6), **options}
    return X, [kernelpick.trace(algorithm, X, y, **problem, random_state=seed) for seed in range(8)]


@pytest.mark.parametrize(("algorithm", "options"), [("oks", {"step_scale": 5.0}), ("oks++", {})])
def test_the_order_of_the_trap_costs_exp3(algorithm, options):
    trap, mixed = (
        np.mean([run.losses.sum() for run in played(name, algorithm, **options)[1]]) for name in ("trap", "trap-mixed")
    )
    assert trap > mixed + 100


def test_long_steps_of_an_arm_that_is_hardly_drawn_cost_what_the_trap_says():
    """a/(2 - a) of the noise, where p = delta/K makes a = 2 lambda/p = 2 s (K/T)^(1/3)."""
    X, runs = played("trap", "oks", step_scale=5.0)
    late = (X[:, 0] > 2) & (np.arange(2000) > 500)  # of the first phase, when the arm has been left
    losses = np.concatenate([run.losses[late & (run.arms == 5)] for run in runs])
    a = 2 * 5.0 * (6 / 2000) ** (1 / 3)
    assert losses.mean() / BAIT**2 - 1 == pytest.approx(a / (2 - a), rel=0.35)


def test_labels_are_signs_and_have_the_hinge_loss():
    stream = NamedStream("labels")
    (_, y), (_, planted) = stream.rows(100), NamedStream("planted").rows(100)
    assert np.array_equal(y, np.sign(planted)) and stream.usual_loss == "hinge"


@pytest.mark.parametrize("name", [name for name in MADE_UP if name not in ("trap", "trap-mixed")])
def test_a_longer_stream_begins_with_the_shorter_one(name):
    for short, long in zip(NamedStream(name).rows(50), NamedStream(name).rows(80), strict=True):
        assert np.array_equal(short, long[:50])


def test_names():
    usual = [name for name in MADE_UP if name != "trap-mixed"]
    assert [one.name for one in named(["synthetic", "elevators", "planted"], "here")] == [*usual, "elevators"]
    assert [one.name for one in named(["trap-mixed"], None)] == ["trap-mixed"]
    with pytest.raises(ValueError, match="Unknown stream 'elevator': did you mean 'elevators'"):
        named(["elevator"], None)
