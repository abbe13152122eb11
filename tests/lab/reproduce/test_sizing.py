"""Sizes from measured times, by clocks that are made up."""

import itertools

import pytest

from kernelpick.lab.reproduce.sizing import CLOSE, CORRECTIONS, SideBySide, sized

REFERENCE = 4e-6


class Clock:
    """Tells what a law says, times what the machine does to it; counts how often it is asked."""

    def __init__(self, law, moods=(1.0,)):
        self.law, self.moods, self.asked = law, itertools.cycle(moods), []

    def __call__(self, sizes):
        self.asked.append(list(sizes))
        return SideBySide(REFERENCE, [self.law(size) * next(self.moods) for size in sizes])


def best_of_all(law, most=2000):
    """The definition: of all sizes, the one whose time is nearest to the reference's."""
    return min(range(1, most), key=lambda size: abs(law(size) / REFERENCE - 1))


@pytest.mark.parametrize(("level", "slope"), [(1e-6, 7e-9), (0.0, 4e-8), (3.5e-6, 1e-9), (2e-6, 2e-7)])
def test_on_a_line_it_is_the_nearest_of_all_sizes_after_one_check(level, slope):
    clock = Clock(lambda size: level + slope * size)
    found = sized(clock, (60, 120, 240))
    assert found.size == best_of_all(clock.law) and abs(found.ratio - 1) <= CLOSE
    assert clock.asked == [[60, 120, 240], [found.size]]
    assert found.seconds == clock.law(found.size) and found.reference == REFERENCE
    assert [size for size, _ in found.points] == [60, 120, 240, found.size]


def test_noise_of_two_per_cent_leaves_it_within_five():
    clock = Clock(lambda size: 1e-6 + 7e-9 * size, moods=(1.02, 0.98, 1.0, 1.01, 0.985))
    found = sized(clock, (100, 200, 400, 600))
    assert clock.law(found.size) / REFERENCE == pytest.approx(1, abs=0.05)


def test_a_law_that_is_no_line_is_corrected():
    clock = Clock(lambda size: 1e-6 + 6e-11 * size**2)
    found = sized(clock, (50, 100, 200, 300))
    assert len(clock.asked) > 2 and abs(found.ratio - 1) <= CLOSE
    assert found.size == pytest.approx(best_of_all(clock.law), rel=0.05)


def test_a_first_measurement_that_was_disturbed_is_corrected():
    clock = Clock(lambda size: 1e-6 + 7e-9 * size, moods=(1.6, 1.0, 1.0, *(1.0,) * 20))
    found = sized(clock, (100, 200, 400))
    assert abs(found.ratio - 1) <= CLOSE


@pytest.mark.parametrize("level", [4.1e-6, 9e-6])
def test_where_the_least_size_takes_too_long_it_is_that_one(level):
    found = sized(Clock(lambda size: level + 1e-7 * size), (10, 20), step=4)
    assert found.size == 4 and found.late and found.ratio == pytest.approx((level + 4e-7) / REFERENCE)


def test_it_ends_where_nothing_is_close():
    clock = Clock(lambda size: 1e-6 if size < 200 else 9e-6)
    found = sized(clock, (100, 200, 400))
    assert len(clock.asked) <= 2 + CORRECTIONS
    assert abs(found.ratio - 1) == min(abs(ratio - 1) for _, ratio in found.points[3:])


def test_times_that_do_not_grow_are_refused():
    with pytest.raises(ValueError, match=r"did not take longer with sizes from 100 to 400.*too busy; start again"):
        sized(Clock(lambda size: 2e-6 - 1e-10 * size), (100, 200, 400))


def test_sizes_are_multiples_of_a_step():
    """As of tiles, of which a part takes as long as a whole."""
    clock = Clock(lambda size: 5e-7 + 5e-7 * -(-size // 16))
    found = sized(clock, (16, 32, 48), step=16)
    assert found.size == 16 * 7 and found.ratio == 1 and not found.late
    assert all(size % 16 == 0 for sizes in clock.asked for size in sizes)
