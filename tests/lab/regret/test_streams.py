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
        losses = [kernelpick.best_in_hindsight(X[rows], y[rows], kernel, loss="square").loss for kernel in kernels]
        return int(np.argmin(losses))

    assert best(slice(0, 600)) != best(slice(600, 1000))


@pytest.mark.parametrize("name", [name for name in MADE_UP if name != "change"])
def test_a_longer_stream_begins_with_the_shorter_one(name):
    for short, long in zip(Stream(name).rows(50), Stream(name).rows(80), strict=True):
        assert np.array_equal(short, long[:50])


def test_names():
    assert [one.name for one in named(["synthetic", "elevators", "planted"], "here")] == [*MADE_UP, "elevators"]
    with pytest.raises(ValueError, match="Unknown stream 'elevator': did you mean 'elevators'"):
        named(["elevator"], None)
