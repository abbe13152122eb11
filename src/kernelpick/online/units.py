"""Predictions in the units of the target, compiled; scaling.py is the way there."""

import math

import numpy as np

from kernelpick.core.numerics.compilation import compiled, fma, inner
from kernelpick.online.scaling import CENTER, KIND, LOG, NEGATIVE, SMEAR, SPREAD

LARGEST_EXPONENT = 700.0


@inner
def in_unit(value: float, center: float, spread: float, smear: float, floor: float) -> float:
    """A scaled prediction in the target's own units; a smear that is not zero tells of a logarithm."""
    value = fma(value, spread, center)
    if smear > 0.0:
        value = smear * math.exp(min(value, LARGEST_EXPONENT))
    return max(value, floor)


@compiled
def to_units(values: np.ndarray, units: np.ndarray) -> None:
    """Scaled predictions (T, M) in units of the targets, in place.

    units is (4, T, M), or (4, 1, M) for all: center, spread, smear, and what no prediction is below.
    """
    for row in range(len(values)):
        at = row if units.shape[1] > 1 else 0
        for m in range(values.shape[1]):
            unit = units[0, at, m], units[1, at, m], units[2, at, m], units[3, at, m]
            values[row, m] = in_unit(values[row, m], *unit)


@compiled
def to_units_of(table: np.ndarray, values: np.ndarray) -> None:
    """The same, by what is known now."""
    for row in range(len(values)):
        for m in range(values.shape[1]):
            smear = table[SMEAR, m] if table[KIND, m] == LOG else 0.0
            floor = 0.0 if table[NEGATIVE, m] == 0.0 else -math.inf
            values[row, m] = in_unit(values[row, m], table[CENTER, m], table[SPREAD, m], smear, floor)
