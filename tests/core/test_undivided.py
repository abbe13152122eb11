"""Named tuples of the package are handed over as they are; those of others as Numba does it."""

from typing import NamedTuple

import numba
import numpy as np
import pytest
from numba.core import types
from numba.core.registry import cpu_target

from kernelpick.core.loop import Rows
from kernelpick.core.numerics.compilation import OUTSIDE, inner, making

pytestmark = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="needs the compiler")

X = np.arange(6.0).reshape(3, 2)
ROWS = Rows(X, 2.0 * X, np.ones(3), np.zeros((1, 1)))


class Others(NamedTuple):
    X: np.ndarray
    scale: float


def pieces(value):
    """How many LLVM's function is given for one argument of that type."""
    return len(cpu_target.target_context.get_arg_packer([numba.typeof(value)]).argument_types)


def test_a_tuple_of_the_package_is_one_argument():
    assert pieces(ROWS) == 1
    assert pieces(Others(X, 3.0)) == pieces(X) + 1 > 2


def test_it_arrives_whichever_way_it_takes():
    """Through functions that only compiled code calls, with and without counted references, one of others, and back."""

    @inner
    def read(rows, others):
        return rows.X[2, 1] * others.scale + rows.Y[0, 1] + len(rows.weights)

    @making
    def turned(rows):
        return Rows(rows.Y, rows.X, rows.weights, rows.numbers)

    @numba.njit
    def foreign(rows, others):
        made = turned(rows)
        return read(made, others), made

    def outermost(rows, others):
        value, made = foreign(rows, others)
        for i in range(len(made.X)):
            value += made.X[i, 0] if i % 2 else 0.0
        return value, made

    value, made = numba.njit(**OUTSIDE)(outermost)(ROWS, Others(X, 3.0))
    assert value == 10.0 * 3.0 + 1.0 + 3 + 4.0
    assert type(made) is Rows and made.X is not X and np.array_equal(made.X, ROWS.Y)
    del made
    assert np.array_equal(ROWS.Y, 2.0 * X)  # no reference was given back twice


def test_tuples_without_names_are_taken_apart_as_before():
    packer = cpu_target.target_context.get_arg_packer([types.UniTuple(types.float64, 3)])
    assert len(packer.argument_types) == 3
