"""Numbers of arrays are found where Numba finds them, and variables have the values that they were given."""

from itertools import product

import numba
import numpy as np
import pytest
from numba.core.compiler_machinery import register_pass
from numba.core.runtime import _nrt_python, rtsys

from kernelpick.core.numerics import linking
from kernelpick.core.numerics.compilation import OUTSIDE, inner, making
from kernelpick.core.numerics.lifetimes import unasked
from kernelpick.core.numerics.lowering import LOWERING

pytestmark = pytest.mark.skipif(
    numba.config.DISABLE_JIT or LOWERING is None, reason="needs Numba's compiler as we know it"
)


def compiled(function):
    """As the package does; but the code is kept nowhere, so that it is compiled each time."""
    return numba.njit(**OUTSIDE)(function)


def of_the_package(function):
    """Only functions of the package are compiled so."""
    function.__module__ = linking.__name__
    return function


def both(function, through):
    """The function as the package compiles it, and as it is."""
    within = through(of_the_package(function))

    def call(*args):
        return within(*args)

    return compiled(of_the_package(call)), function


ARRAYS = [
    np.arange(24.0).reshape(4, 6),
    np.asfortranarray(np.arange(24.0).reshape(4, 6)),
    np.arange(48.0).reshape(8, 6)[::2],
    np.arange(24, dtype=np.float32).reshape(4, 6),
    np.arange(24, dtype=np.int32).reshape(4, 6),
    np.arange(24).reshape(4, 6) % 3 == 0,
    np.frombuffer(b"\0" + np.arange(24.0).tobytes(), dtype=np.uint8)[1:].view(np.float64).reshape(4, 6),
]


@pytest.mark.parametrize("through", [inner, making])
@pytest.mark.parametrize("array", ARRAYS, ids=lambda array: f"{array.dtype}, {array.strides}, {array.flags.aligned}")
def test_numbers_of_a_matrix(array, through):
    def number(matrix, i, j):
        return matrix[i, j], matrix[-1, 2], matrix[np.uint8(1), j]

    ours, expected = both(number, through)
    for i, j in product((0, 3, -1, -4), (0, 5, -6)):
        assert ours(array, i, j) == expected(array, i, j)
        assert ours(array, np.int32(i), np.int64(j)) == expected(array, i, j)


@pytest.mark.parametrize("through", [inner, making])
def test_numbers_are_written_where_they_belong(through):
    def write(matrix, cube, vector, flags, x):
        matrix[1, -1], cube[1, 0, 2], vector[2], vector[-1], flags[0] = x, 7, x, 3, x > 1.0
        vector[0] += cube[1, 0, 2] * vector[2]
        return cube[1, 0, 2]

    def arguments():
        matrix, vector = np.zeros((3, 8), dtype=np.float32)[:, ::2], np.ones(4)
        return matrix, np.zeros((2, 3, 4)), vector, np.zeros(2, dtype=bool), 2.25

    ours, expected = both(write, through)
    got, wanted = arguments(), arguments()
    assert ours(*got) == expected(*wanted)
    for a, b in zip(got, wanted, strict=True):
        np.testing.assert_array_equal(a, b)


def test_bounds_are_checked_where_it_is_asked_for():
    def third(x):
        return x[2]

    ours = numba.njit(**OUTSIDE, boundscheck=True)(of_the_package(third))
    assert ours(np.arange(3.0)) == 2.0
    with pytest.raises(IndexError):
        ours(np.arange(2.0))


@pytest.mark.parametrize("through", [inner, making])
def test_variables_that_change_in_loops_and_branches(through):
    def wander(x, n):
        a, b, rows = 0.0, (1.0, 2.0), x
        for i in range(n):
            if i % 3 == 0:
                c = b
                b = (b[1], b[0] + i)
            elif i % 3 == 1:
                rows, c = x[i % len(x) :], (a, b[0])
            else:
                continue
            a += c[0] + rows[0] + len(rows)
        return a, b

    ours, expected = both(wander, through)
    for n in (0, 1, 10):
        assert ours(np.arange(1.0, 6.0), n) == expected(np.arange(1.0, 6.0), n)


def test_references_are_counted_inside_tuples():
    def made(n):
        return (n, (np.full(n, 2.0), 1.0), np.ones(n))

    def kept(n):
        held = made(n)
        for i in range(3):
            held = (i, (held[2], held[1][1]), held[1][0])
        return held

    made = making(of_the_package(made))
    for _ in range(10):
        number, (ones, one), twos = compiled(of_the_package(kept))(5)
        assert number == 2 and one == 1.0 and ones.tolist() == [1.0] * 5 and twos.tolist() == [2.0] * 5


def test_functions_are_compiled_the_slower_way_where_numba_is_not_as_expected(monkeypatch):
    monkeypatch.setattr(linking, "LOWERING", None)

    def third(x, n):
        total = 0.0
        for i in range(n):
            total += x[i, -1]
        return total

    ours, expected = both(third, inner)
    assert ours(ARRAYS[0], 3) == expected(ARRAYS[0], 3)


def test_where_variables_live_is_known_to_who_asks():
    from numba.core.compiler import run_frontend

    def looping(n):
        total = 0
        for i in range(n):
            total += i
        return total

    expected = run_frontend(of_the_package(looping))
    with unasked():
        found = run_frontend(looping)
    assert found.variable_lifetime.livemap == expected.variable_lifetime.livemap
    assert found.variable_lifetime.deadmaps == expected.variable_lifetime.deadmaps
    assert found.blocks.keys() == expected.blocks.keys() and not found.block_entry_vars


def in_memory(function, *args):
    """The variables for which the function has a place in memory, in the code that LLVM is given."""
    dispatcher, _ = both(function, inner)
    seen = []

    @register_pass(mutates_CFG=True, analysis_only=False)
    class NativeLowering(LOWERING):
        _name = "kernelpick_lowering_looked_at"

        @property
        def lowering_class(self):
            usual = super().lowering_class

            class Noted(usual):
                def alloca(self, name, type):
                    seen.append(name.partition(".")[0])
                    return super().alloca(name, type)

            return Noted

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(linking, "LOWERING", NativeLowering)
        result = dispatcher(*args)
    return {name for name in seen if not name.startswith("$")}, result


def test_what_has_one_definition_before_all_uses_is_not_kept_in_memory():
    def function(values, limit):
        first, total = values[0] * 2.0, 0.0
        for i in range(len(values)):
            if values[i] > limit:
                beyond = values[i] - limit
                if beyond > first:
                    total += beyond * first
        return total + first

    values = np.array([1.0, 2.0, 7.0, 9.0])
    kept, result = in_memory(function, values, 3.0)
    assert result == function(values, 3.0)
    assert "total" in kept and not kept & {"first", "beyond", "values", "limit"}


def test_what_may_come_from_the_round_before_is():
    """It has one definition, and is used above it."""

    def function(values):
        last = 0.0
        total = 0.0
        for i in range(len(values)):
            total += last
            last = values[i]
        return total

    kept, result = in_memory(function, np.array([1.0, 2.0, 4.0]))
    assert result == 3.0 and {"last", "total"} <= kept


def test_arrays_that_are_made_in_a_loop_are_given_back():
    def function(n):
        total = 0.0
        for i in range(n):
            made = np.ones(1000 + i)
            if i % 2:
                total += made[-1]
            else:
                view = made[1:]
                if len(view) > 5:
                    total += view[0]
        return total

    ours = compiled(of_the_package(function))
    _nrt_python.memsys_enable_stats()
    try:
        before = rtsys.get_allocation_stats()
        result = ours(100)
        after = rtsys.get_allocation_stats()
    finally:
        _nrt_python.memsys_disable_stats()
    assert result == 100.0
    assert after.alloc - before.alloc == after.free - before.free >= 100
