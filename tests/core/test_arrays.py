"""Arrays that compiled code makes are NumPy's, and are given back."""

import numba
import numpy as np
import pytest
from numba.core.runtime import _nrt_python, rtsys

from kernelpick.core.numerics import linking
from kernelpick.core.numerics.arrays import empty, flattened, zeroed
from kernelpick.core.numerics.compilation import JIT, OUTSIDE, inner, making

pytestmark = pytest.mark.skipif(not JIT, reason="NumPy makes them")


def compiled(function):
    function.__module__ = linking.__name__
    return numba.njit(**OUTSIDE)(function)


@making
def _made(n, like):
    few = zeroed((n, 3)), zeroed(n, np.int64), zeroed((2, n), like.dtype), empty((n, 1, min(n, 7))), zeroed(3)
    return (*few, zeroed((4, max(n, 1)), np.uint8), empty((np.int32(2), n), np.float32))


def all_kinds(n, like):
    return _made(n, like)


def written(n, like):
    arrays = _made(n, like)
    for i in range(n):
        arrays[0][i, 2], arrays[3][i, 0, -1] = i, 2.0 * i
    return arrays[0].sum() + arrays[3][:, 0, -1].sum()


@pytest.mark.parametrize("n", [0, 1, 5])
def test_shapes_kinds_and_zeros(n):
    shapes = [(n, 3), (n,), (2, n), (n, 1, n), (3,), (4, max(n, 1)), (2, n)]
    kinds = [float, np.int64, np.float32, float, float, np.uint8, np.float32]
    made = compiled(all_kinds)(n, np.zeros(1, np.float32))
    for array, shape, kind in zip(made, shapes, kinds, strict=True):
        assert array.shape == shape and array.dtype == kind and array.flags.c_contiguous and array.flags.writeable
    for place in (0, 1, 2, 4, 5):
        assert not made[place].any()


@pytest.fixture
def counted():
    """How many pieces of memory were taken and not given back, and how many were taken."""
    _nrt_python.memsys_enable_stats()
    before = rtsys.get_allocation_stats()

    def told():
        after = rtsys.get_allocation_stats()
        return after.alloc - before.alloc - (after.free - before.free), after.alloc - before.alloc

    yield told
    _nrt_python.memsys_disable_stats()


def test_they_are_given_back(counted):
    like, functions = np.zeros(1), [compiled(written), compiled(all_kinds)]
    for _ in range(50):
        assert functions[0](5, like) == 30.0
        functions[1](5, like)
    left, taken = counted()
    assert left == 0 and taken >= 700


def test_too_large_is_an_error_that_python_knows():
    with pytest.raises(MemoryError):
        compiled(all_kinds)(2**50, np.zeros(1))


@pytest.mark.parametrize("through", [inner, making])
def test_flat_arrays_are_the_same_memory(through, counted):
    def last(array, x):
        row = flattened(array)
        row[-1] = x
        return len(row), row[0]

    last.__module__ = linking.__name__
    ours = through(last)
    call = compiled(lambda array, x: ours(array, x))
    cube = np.arange(24.0).reshape(2, 3, 4)
    assert call(cube, 7.5) == (24, 0.0) and cube[1, 2, 3] == 7.5
    assert counted()[0] == 0


def test_flat_as_longer_numbers():
    pairs = np.arange(16, dtype=np.int16).reshape(2, 2, 4)
    got = compiled(lambda array: flattened(array, np.int64))(pairs)
    np.testing.assert_array_equal(got, pairs.reshape(-1).view(np.int64))
    assert np.shares_memory(got, pairs)
    pairs[0, 0, 0] = 5
    assert got[0] & 0xFFFF == 5


def test_what_is_not_in_one_piece_is_refused():
    with pytest.raises(numba.TypingError, match="one piece"):
        compiled(lambda array: flattened(array))(np.zeros((4, 4))[:, ::2])
    frozen = np.zeros((2, 2))
    frozen.flags.writeable = False
    assert not compiled(lambda array: flattened(array))(frozen).flags.writeable


def test_lengths_and_kinds_that_make_no_sense_are_refused():
    with pytest.raises(numba.TypingError, match="whole numbers"):
        compiled(lambda n: empty(n))(2.5)
    with pytest.raises(numba.TypingError, match="not as shorter"):
        compiled(lambda array: flattened(array, np.int8))(np.zeros(3))


@pytest.mark.parametrize("through", [inner, making])
def test_shapes_sizes_and_lengths(through):
    def told(cube, vector, some):
        perhaps = vector if some else None
        if perhaps is not None:
            return len(cube), cube.shape, cube.size, len(perhaps), cube.shape[-1], len((1, 2, 3)), perhaps.size
        return len(cube), cube.shape, cube.size, -1, cube.shape[-1], len((1, 2, 3)), -1

    told.__module__ = linking.__name__
    within = through(told)
    ours = compiled(lambda cube, vector, some: within(cube, vector, some))
    for some in (True, False):
        for cube in (np.zeros((2, 3, 4)), np.zeros((0, 3, 4)), np.zeros((4, 3, 4))[::2]):
            assert ours(cube, np.zeros(7), some) == told(cube, np.zeros(7), some)
