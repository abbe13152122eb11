"""Scaling to a range."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from kernelpick.lab.datasets.ranges import to_range

FINITE = st.floats(allow_nan=False, allow_infinity=False)
TABLES = arrays(np.float64, array_shapes(min_dims=1, max_dims=2, max_side=8), elements=FINITE)


def test_columns_are_scaled_one_by_one():
    X = np.array([[0.0, 10.0], [5.0, 30.0], [10.0, 20.0]])
    assert to_range(X, -1, 1).tolist() == [[-1, -1], [0, 1], [1, 0]]
    assert X[0, 1] == 10.0


def test_a_constant_becomes_zero():
    assert to_range(np.array([[7.0, 1.0], [7.0, 2.0]]), -1, 1).tolist() == [[0, -1], [0, 1]]
    assert to_range(np.array([7.0, 7.0]), 0, 1).tolist() == [0, 0]
    assert to_range(np.array([7.0, 7.0]), 2, 3).tolist() == [2, 2]


def test_a_target_is_a_vector():
    assert to_range(np.array([2.0, 4.0, 3.0]), 0, 1).tolist() == [0, 1, 0.5]


def test_the_widest_numbers_do_not_overflow():
    assert to_range(np.array([-1.7e308, 0.0, 1.7e308]), -1, 1).tolist() == [-1, 0, 1]


@given(TABLES, st.sampled_from([(-1.0, 1.0), (0.0, 1.0), (0.1, 0.7)]))
def test_the_ends_are_reached_exactly_and_the_order_is_kept(X, ends):
    lo, hi = ends
    scaled = to_range(X, lo, hi)
    assert scaled.shape == X.shape and scaled.min() >= lo and scaled.max() <= hi
    flat, scaled_flat = X.reshape(len(X), -1), scaled.reshape(len(X), -1)
    for column, result in zip(flat.T, scaled_flat.T, strict=True):
        if column.max() / 2 > column.min() / 2:
            assert result.min() == lo and result.max() == hi
        assert (np.diff(result[np.argsort(column)]) >= 0).all()


@pytest.mark.parametrize("X", [[[np.nan]], [[np.inf]], np.empty((0, 3))])
def test_what_cannot_be_scaled_is_refused(X):
    with pytest.raises(ValueError, match="Only finite numbers can be scaled"):
        to_range(np.asarray(X), -1, 1)


def test_an_empty_range_is_refused():
    with pytest.raises(ValueError, match=r"The range \[1, 1\] is empty"):
        to_range(np.ones(3), 1, 1)
