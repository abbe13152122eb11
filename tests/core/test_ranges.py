"""Loops over ranges run as often as Python's, with the same numbers, however the range is said."""

import numba
import numpy as np
import pytest

from kernelpick.core.numerics import linking
from kernelpick.core.numerics.compilation import OUTSIDE, inner, making
from kernelpick.core.numerics.ranges import RANGES

pytestmark = pytest.mark.skipif(
    numba.config.DISABLE_JIT or RANGES is None, reason="needs Numba's compiler as we know it"
)


def of_the_package(function):
    """Only functions of the package are compiled so."""
    function.__module__ = linking.__name__
    return function


def ours(function, through):
    within = through(of_the_package(function))

    def call(*args):
        return within(*args)

    return numba.njit(**OUTSIDE)(of_the_package(call))


def one(out, a, b, step):
    n = 0
    for i in range(b):
        out[n] = i
        n += 1
    return n


def two(out, a, b, step):
    n = 0
    for i in range(a, b):
        out[n] = i
        n += 1
    return n


def by_five(out, a, b, step):
    n = 0
    for i in range(a, b, 5):
        out[n] = i
        n += 1
    return n


def backwards(out, a, b, step):
    n = 0
    for i in range(a, b, -2):
        out[n] = i
        n += 1
    return n


def by_a_variable(out, a, b, step):
    n = 0
    for i in range(a, b, step):
        out[n] = i
        n += 1
    return n


def one_after_the_other(out, a, b, step):
    """A range that is kept, and gone through twice; numbers that are changed in the loop; break and continue."""
    n, twice = 0, range(a, b)
    for i in twice:
        for j in twice:
            if j == i:
                continue
            if j > i + 2:
                break
            out[n] = 100 * i + j
            n += 1
        i += 7
        out[n] = i
        n += 1
    else:
        out[n] = -1
        n += 1
    return n


def either(out, a, b, step):
    """Which range it is depends on numbers."""
    n, numbers = 0, range(0, b, 3)
    if a > 0:
        numbers = range(a, b, 2)
    for i in numbers:
        out[n] = i
        n += 1
    return n


LOOPS = [one, two, by_five, backwards, by_a_variable, one_after_the_other, either]


@pytest.mark.parametrize("through", [inner, making])
@pytest.mark.parametrize("loop", LOOPS, ids=lambda loop: loop.__name__)
def test_the_numbers_are_those_of_python(loop, through):
    compiled = ours(loop, through)
    for a, b, step in [(0, 0, 1), (0, 7, 1), (3, 12, 4), (5, 5, 2), (9, 2, 1), (9, 2, -3), (-4, 3, 2), (1, -6, -1)]:
        expected, got = np.zeros(400, np.int64), np.zeros(400, np.int64)
        assert compiled(got, a, b, step) == loop(expected, a, b, step)
        np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("kind", [np.int32, np.uint8, np.int64])
def test_shorter_numbers(kind):
    got, expected = np.zeros(50, np.int64), np.zeros(50, np.int64)
    compiled = ours(by_five, inner)
    assert compiled(got, kind(2), kind(40), kind(1)) == by_five(expected, 2, 40, 1)
    np.testing.assert_array_equal(got, expected)


def test_large_numbers():
    def last(a, b):
        total = 0
        for i in range(a, b):
            total = i
        return total

    most = 2**63 - 1
    assert ours(last, inner)(most - 3, most) == most - 1
    assert ours(last, inner)(-(2**63), -(2**63) + 2) == -(2**63) + 1

    def first_by_two(a, b):
        for i in range(a, b, 2):
            return i
        return -1

    assert ours(first_by_two, inner)(3, most) == 3
    assert ours(first_by_two, inner)(3, 3) == -1 == ours(first_by_two, inner)(3, 2)


def test_a_step_of_zero_is_refused():
    with pytest.raises(ValueError, match="zero"):
        ours(by_a_variable, making)(np.zeros(5, np.int64), 0, 3, 0)


@pytest.mark.parametrize("through", [inner, making])
def test_what_is_no_range_is_gone_through_as_before(through):
    def total(x, pair):
        found = 0.0
        for number in x:
            found += number
        for number in pair:
            found += number
        for i, number in enumerate(x):
            found += i * number
        for a, b in zip(x, x):  # noqa: B905, Numba knows no strict
            found += a * b
        return found

    assert ours(total, through)(np.arange(4.0), (1.0, 2.0)) == total(np.arange(4.0), (1.0, 2.0))


def test_less_is_written_for_llvm(monkeypatch):
    written, add = [], linking.Whole.add_ir_module

    def note(self, module):
        written.append(len(str(module)))
        add(self, module)

    monkeypatch.setattr(linking.Whole, "add_ir_module", note)
    numba.njit(**OUTSIDE)(of_the_package(_many_loops))(np.zeros(5))
    few, written[:] = sum(written), []
    monkeypatch.setattr(linking, "LOWERING", None)
    numba.njit(**OUTSIDE)(of_the_package(_many_loops))(np.zeros(5))
    assert few < 0.6 * sum(written)


def _many_loops(x):
    total = 0.0
    for i in range(len(x)):
        for j in range(i):
            for k in range(j, i):
                total += i * j * k
    return total
