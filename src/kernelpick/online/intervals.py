"""Intervals around predictions of numbers: f +- q s(x)^k, narrow where the noise is small.

s is the size of what is left over, |y - f|, learned online: log s(x) is linear in the scaled inputs, in the prediction,
and in the absolute values of both. It takes normalised steps on log s + |y - f| / s, whose slope is 1 - |y - f| / s.
q is followed as coverage.py tells, for each exponent k of 0, 1/2 and 1, since a size that is learned badly makes
intervals wider than one that is the same everywhere. The exponent whose intervals have been the narrowest is in use.
"""

import copy
import math

import numpy as np

from kernelpick.core.numerics.arrays import empty, flattened
from kernelpick.core.numerics.compilation import compiled, found_once, inner
from kernelpick.core.numerics.elementary import exponential
from kernelpick.core.numerics.products import dot
from kernelpick.core.record import LOSS, SAID
from kernelpick.online.coverage import LEVELS, USUAL, bound_at, logarithm, merged_bounds, pace
from kernelpick.online.units import LARGEST_EXPONENT

EXPONENTS = np.array([0.0, 0.5, 1.0])
EVERY_EXPONENT, EVERY_LEVEL = np.repeat(EXPONENTS, len(LEVELS)), np.tile(LEVELS, len(EXPONENTS))
NOISE_COLUMNS = 256  # the size of the noise looks at no others
COUNTS_UP_TO = 5.0  # inputs count up to that
USUALLY = 0.8  # the mean absolute value of a standardised number
LARGEST = 3.0  # |log s| beyond its start
SURPRISE = 3.0  # a residual counts up to 1 + that many times what was expected
SLOWEST = 0.01  # steps of the size
FADING = 0.008  # of the widths that exponents are compared by, in each row that they are looked at
DESCRIBED_AT_A_TIME = 16  # rows that are described before they are learned from: what was just written is slow to read
ALL, SOME = 1000, 4  # size and widths learn from all of so many rows, and then from one of so many
# The head: rows so far, the logarithm of the first residual, what the pace is set by, widths by exponents; rows whose
# intervals were looked at, and the mean width of these in units of the target
ROWS, ORIGIN, SIGNS, WIDTHS, LOOKED, WIDTH = 0, 1, 2, 4, 7, 8
LONGEST_WIDTH = 1e300
MOST_REACH = 690.0  # its logarithm


@inner
def _describe(X: np.ndarray, row: int, said: float, z: np.ndarray, slot: int) -> None:
    """z[0, slot]: 1, the prediction and its absolute value, those of the columns."""
    columns = (z.shape[2] - 3) // 2
    f = min(max(said, -COUNTS_UP_TO), COUNTS_UP_TO)
    z[0, slot, 0], z[0, slot, 1], z[0, slot, 2] = 1.0, f, abs(f) - USUALLY
    for k in range(columns):
        x = min(max(X[row, k], -COUNTS_UP_TO), COUNTS_UP_TO)
        z[0, slot, 3 + k] = x
        z[0, slot, 3 + columns + k] = abs(x) - USUALLY


@inner
def _size(slopes: np.ndarray, m: int, z: np.ndarray, slot: int) -> float:
    """log s(x), beyond its start."""
    return min(max(dot(slopes, m, 0, z[0], slot), -LARGEST), LARGEST)


@inner
def _narrowest(head: np.ndarray) -> int:
    """The place of the exponent in use."""
    best = 0
    for k in range(1, len(EXPONENTS)):
        if head[WIDTHS + k] < head[WIDTHS + best]:
            best = k
    return best


@inner
def _looks(row: float) -> bool:
    """Whether size and widths learn from that row, counted from 1."""
    return row <= ALL or row % SOME == 0.0


@inner
def _end(at: float, is_log: bool, floor: float) -> float:
    return max(math.exp(min(at, LARGEST_EXPONENT)) if is_log else at, floor)


@inner
def _measure(head: np.ndarray, reach: float, said: float, unit: np.ndarray, m: int) -> None:
    """The width of an interval that reaches so far, into the mean; unit (4, M)."""
    is_log, middle = unit[2, m] > 0.0, said * unit[1, m] + unit[0, m]
    width = _end(middle + reach, is_log, unit[3, m]) - _end(middle - reach, is_log, unit[3, m])
    head[LOOKED] += 1.0
    head[WIDTH] += (min(width, LONGEST_WIDTH) - head[WIDTH]) / head[LOOKED]


@inner
def _learn(
    bounds: np.ndarray, tally: np.ndarray, slopes: np.ndarray, head: np.ndarray, signs: np.ndarray, residual: float,
    z: np.ndarray, slot: int,
) -> float:  # fmt: skip
    """What is known of one target learns from the logarithm of one residual, of a row that z describes in that slot;
    how far its usual interval reached, or -1 if that was not looked at. Slopes are (1, 1, n)."""
    if head[ROWS] == 0.0:
        head[ORIGIN] = residual
        for i in range(len(bounds)):
            bounds[i] = residual
    head[ROWS] += 1.0
    log_s, rows = _size(slopes, 0, z, slot), head[ROWS]
    step = pace(signs, residual > bounds[USUAL], rows)
    now = _narrowest(head)
    first = now * len(LEVELS)
    score = residual - EXPONENTS[now] * log_s
    for i in range(len(tally)):
        tally[i] += 1.0 if score <= bounds[first + i] else 0.0
    looks, reach = _looks(rows), -1.0
    if looks:
        for k in range(len(EXPONENTS)):
            width = exponential(min(bounds[k * len(LEVELS) + USUAL] + EXPONENTS[k] * log_s, MOST_REACH))
            reach = width if k == now else reach
            head[WIDTHS + k] += max(1.0 / rows, FADING) * (width - head[WIDTHS + k])
    for i in range(len(bounds)):
        score = residual - EVERY_EXPONENT[i] * log_s
        bounds[i] += step * (EVERY_LEVEL[i] - (1.0 if score <= bounds[i] else 0.0))
    if not looks:
        return reach
    slope = max(1.0 - exponential(min(residual - head[ORIGIN] - log_s, 2.0)), -SURPRISE)
    step = max(SLOWEST, 1.0 / math.sqrt(rows)) * slope / (1.0 + dot(z, 0, slot, z[0], slot))
    for j in range(slopes.shape[2]):
        slopes[0, 0, j] -= step * z[0, slot, j]
    return reach if rows > 1.0 else -1.0  # before the first row there was none


@compiled
def learn_residuals(
    bounds: np.ndarray, tally: np.ndarray, slopes: np.ndarray, head: np.ndarray,
    X: np.ndarray, Y: np.ndarray, record: np.ndarray, units: np.ndarray,
) -> None:  # fmt: skip
    """Learn from the record of rounds, row by row: scaled rows X and targets Y, whose units are (4, T, M)."""
    z = empty((1, DESCRIBED_AT_A_TIME, slopes.shape[2]))
    for start in range(0, len(X), DESCRIBED_AT_A_TIME):
        stop = min(len(X), start + DESCRIBED_AT_A_TIME)
        for m in range(Y.shape[1]):
            for row in range(start, stop):
                _describe(X, row, record[row, SAID + m], z, row - start)
            own = flattened(bounds[m]), tally[m], slopes[m : m + 1], head[m], head[m, SIGNS:WIDTHS]
            for row in range(start, stop):
                if math.isfinite(record[row, LOSS]):  # others were passed over
                    said = record[row, SAID + m]
                    residual = logarithm(abs(Y[row, m] - said) * units[1, row, m])
                    reach = _learn(*own, residual, z, row - start)
                    if reach >= 0.0:
                        _measure(head[m], reach, said, units[:, row], m)


_2, _3 = np.zeros((1, 1)), np.zeros((1, 1, 1))
_learn_residuals = found_once(learn_residuals, _3, _2, _3, _2, _2, _2, _2, _3)


@compiled
def sizes(slopes: np.ndarray, X: np.ndarray, said: np.ndarray, out: np.ndarray) -> None:
    """out (T, M) = log s(x), beyond its start."""
    z = empty((1, 1, slopes.shape[2]))
    for row in range(len(X)):
        for m in range(len(slopes)):
            _describe(X, row, said[row, m], z, 0)
            out[row, m] = _size(slopes, m, z, 0)


class Intervals:
    """What is known of the residuals of a model's targets."""

    def __init__(self, n_outputs: int, n_inputs: int) -> None:
        self.bounds = np.zeros((n_outputs, len(EXPONENTS), len(LEVELS)))
        self.tally = np.zeros((n_outputs, len(LEVELS)))  # rows within the bounds in use
        self.slopes = np.zeros((n_outputs, 1, _n_slopes(n_inputs)))
        self.head = np.zeros((n_outputs, WIDTH + 1))

    def learn(self, X: np.ndarray, Y: np.ndarray, record: np.ndarray, units: np.ndarray) -> None:
        units = units if units.flags.c_contiguous else np.ascontiguousarray(units)  # machine code does not look
        _learn_residuals()(self.bounds, self.tally, self.slopes, self.head, X, Y, record, units)

    @property
    def known(self) -> bool:
        return bool(self.head[0, ROWS] > 0.0)

    @property
    def exponents(self) -> list[int]:
        """The place of the exponent in use, of each target."""
        return list(self.head[:, WIDTHS:LOOKED].argmin(axis=1))

    def reach(self, X: np.ndarray, said: np.ndarray, confidence: float) -> np.ndarray:
        """(T, M) how far intervals reach to both sides, for scaled rows and what was said to them."""
        if not self.known:
            return np.full(said.shape, math.inf)
        out = np.empty(said.shape)
        sizes(self.slopes, X, said, out)
        for m, k in enumerate(self.exponents):
            with np.errstate(over="ignore"):
                out[:, m] = np.exp(bound_at(self.bounds[m, k], confidence) + EXPONENTS[k] * out[:, m])
        return out

    def merged(self, others: "list[Intervals]", rows: list[int]) -> "Intervals":
        """Bounds, sizes and widths are means by the rows behind them, counts are sums.

        They are those of models that know less than the whole, so at first they reach a little too far.
        """
        every, whole = [self, *others], copy.deepcopy(self)
        behind = [float(one.head[0, ROWS]) for one in every]
        for name in ("bounds", "slopes", "head"):
            setattr(whole, name, merged_bounds([getattr(one, name) for one in every], behind))
        looked = np.array([one.head[:, LOOKED] for one in every])
        whole.tally = np.sum([one.tally for one in every], axis=0)
        whole.head[:, ROWS], whole.head[:, LOOKED] = sum(behind), looked.sum(axis=0)
        widths = np.array([one.head[:, WIDTH] for one in every])
        whole.head[:, WIDTH] = (looked * widths).sum(axis=0) / np.maximum(looked.sum(axis=0), 1.0)
        return whole

    def widen(self, n_inputs: int) -> None:
        """Unless they have as many already."""
        if _n_slopes(n_inputs) <= self.slopes.shape[2]:
            return
        old, columns = self.slopes, (self.slopes.shape[2] - 3) // 2
        self.slopes = np.zeros((len(old), 1, _n_slopes(n_inputs)))
        second = 3 + (self.slopes.shape[2] - 3) // 2
        self.slopes[:, :, : 3 + columns] = old[:, :, : 3 + columns]
        self.slopes[:, :, second : second + columns] = old[:, :, 3 + columns :]


def _n_slopes(n_inputs: int) -> int:
    return 3 + 2 * min(n_inputs, NOISE_COLUMNS)
