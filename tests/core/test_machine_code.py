"""Machine code that is found once for a state takes the types of arrays for granted: whatever comes is made to fit."""

import numpy as np
import pytest

from kernelpick import core
from kernelpick.core import Specification
from kernelpick.core.record import SPEAKER

SPEC = Specification("rf-oks++", "square", 3, n_features=20)
X = np.random.default_rng(0).integers(-3, 4, (30, 3)).astype(float)
Y = X[:, :1] * X[:, 1:2]


@pytest.mark.parametrize(
    "rows",
    [np.asfortranarray(X), np.repeat(X, 2, axis=1)[:, ::2], X[::-1][::-1], X.astype(np.float32), X.astype(np.int64)],
    ids=["columns first", "strided", "reversed twice", "single precision", "whole numbers"],
)
def test_rows_of_other_layouts_and_types_give_the_same_bits(rows):
    expected, outcome = core.advance(SPEC, core.start(SPEC), X, Y)
    state, other = core.advance(SPEC, core.start(SPEC), rows, Y.astype(rows.dtype))
    assert (outcome.record == other.record).all()
    assert (state.space.weights == expected.space.weights).all()
    assert (core.predict(SPEC, state, rows)[0] == core.predict(SPEC, expected, X)[0]).all()
    said = [core.draw(SPEC, which, given, 0)[:, SPEAKER:] for which, given in ((state, rows), (expected, X))]
    assert (said[0] == said[1]).all()
