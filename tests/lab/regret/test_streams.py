"""The streams are what is said of them."""

import numpy as np
import pytest

import kernelpick
from kernelpick.lab.regret.streams import MADE_UP, Stream, named


def least(stream, arm, kernels=6, rounds=300):
    X, y = stream.rows(rounds)
    return kernelpick.best_in_hindsight(X, y, stream.kernels(kernels)[arm], loss="square")


@pytest.mark.parametrize("arm", range(6))
def test_every_kernel_fits_the_planted_target_in_its_ball(arm):
    assert least(Stream("planted"), arm).loss < 1e-6


def test_half_of_the_kernels_do_not_fit():
    _, y = Stream("misfits").rows(300)
    losses = [least(Stream("misfits"), arm).loss for arm in range(6)]
    assert max(losses[3:]) < 1e-6 and min(losses[:3]) > 0.3 * (y**2).sum()


def test_noise_has_its_size():
    (_, y), (_, clean) = Stream("noise").rows(2000), Stream("planted").rows(2000)
    assert np.std(y - clean) == pytest.approx(0.1, rel=0.05)


def test_the_best_arm_changes_late():
    X, y = Stream("change").rows(1000)
    kernels = Stream("change").kernels(6)

    def best(rows):
        problem = {"loss": "square", "tolerance": 1e-3}
        losses = [kernelpick.best_in_hindsight(X[rows], y[rows], kernel, **problem).loss for kernel in kernels]
        return int(np.argmin(losses))

    assert best(slice(0, 600)) != best(slice(600, 1000))


def test_who_loses_at_first_in_the_trap_is_the_best_in_the_end():
    X, y = Stream("trap").rows(500)
    narrow, *wide = Stream("trap").kernels(3)

    def least(kernel, rows):
        return kernelpick.best_in_hindsight(X[rows], y[rows], kernel, loss="square", tolerance=1e-3).loss

    before, whole = slice(0, 300), slice(0, 500)
    assert max(least(kernel, before) for kernel in wide) < 0.1 * least(narrow, before)
    assert least(narrow, whole) < 0.6 * min(least(kernel, whole) for kernel in wide)


def test_the_mixed_trap_has_the_same_rows():
    trap, mixed = (np.column_stack(Stream(name).rows(500)) for name in ("trap", "trap-mixed"))
    assert not np.array_equal(trap, mixed)
    assert np.array_equal(trap[np.lexsort(trap.T)], mixed[np.lexsort(mixed.T)])


def test_the_order_of_the_trap_costs_those_who_explore_less_where_losses_are_small():
    def mean_loss(name):
        X, y = Stream(name).rows(1000)
        problem = {"loss": "square", "kernels": Stream(name).kernels(6)}
        return np.mean(
            [kernelpick.trace("oks++", X, y, **problem, random_state=seed).losses.sum() for seed in range(8)]
        )

    assert mean_loss("trap") > mean_loss("trap-mixed") + 10


def test_labels_are_signs_and_have_the_hinge_loss():
    stream = Stream("labels")
    (_, y), (_, planted) = stream.rows(100), Stream("planted").rows(100)
    assert np.array_equal(y, np.sign(planted)) and stream.usual_loss == "hinge"


@pytest.mark.parametrize("name", [name for name in MADE_UP if name not in ("change", "trap", "trap-mixed")])
def test_a_longer_stream_begins_with_the_shorter_one(name):
    for short, long in zip(Stream(name).rows(50), Stream(name).rows(80), strict=True):
        assert np.array_equal(short, long[:50])


def test_names():
    usual = [name for name in MADE_UP if name != "trap-mixed"]
    assert [one.name for one in named(["synthetic", "elevators", "planted"], "here")] == [*usual, "elevators"]
    assert [one.name for one in named(["trap-mixed"], None)] == ["trap-mixed"]
    with pytest.raises(ValueError, match="Unknown stream 'elevator': did you mean 'elevators'"):
        named(["elevator"], None)
