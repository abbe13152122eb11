"""A line beside the memories: few weights follow a plane that wanders better than many do.

It is linear in the inputs and forgets. Where labels are noisy, a line is much too sure of rows that are far from it.
For labels, a second learner of five weights an output therefore finds out what is to be made of f, what the line says,
and of g, what the leader says: it is linear in (f, f/sqrt(1 + f^2), g, g/sqrt(1 + g^2), 1), and is what is heard.

Both are recursive, with P the inverse of (a ridge plus the curvatures so far, which lose weight), for a row z

    v = z'Pz;   w <- w - slope/(1 + h v) Pz;   P <- (P - h/(1 + h v) Pz z'P) / forgetting

and then one weight after the other gets its ridge back, as in newton: as if z were e_i, h = ridge and slope = h w_i.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from kernelpick.core.learners.newton import bounded
from kernelpick.core.losses import parabola
from kernelpick.core.numerics.arrays import empty
from kernelpick.core.numerics.compilation import compiled, inner, making

FORGETTING = 0.998  # of the line; 0.997 to 0.9985 are alike where a plane wanders, and elsewhere it does not matter
SURE = 0.999  # the forgetting of what its predictions are worth: 0.998 to 0.9998 are alike
INPUTS = 5  # of that
LARGEST_P = 2.0  # times the prior: P is never larger, but for rounding


class Fading(NamedTuple):
    """S learners, each with one P for all of its outputs."""

    prior: float  # P = prior I at the start
    forgetting: float
    ridge: float  # what a weight gets back when it is its turn
    weights: np.ndarray  # (S, outputs of each, n)
    P: np.ndarray  # (S, n, n)


class Line(NamedTuple):
    regression: bool  # predictions are bounded by the targets seen, and heard as they are
    line: Fading
    worth: Fading  # what they are worth, else
    rows: np.ndarray  # (1,) learned so far: they tell whose turn it is
    seen: np.ndarray  # (2, M) smallest and largest target

    def checked(self) -> None:
        """Refuse what it can't have learned."""
        for part in (self.line, self.worth):
            if not (np.isfinite(part.weights).all() and (np.diagonal(part.P, 0, 1, 2) > 0.0).all()):
                raise ValueError("the line beside the memories is wrong")
        if self.rows[0] < 0:
            raise ValueError("the line beside the memories has a wrong number of rows")


class LineScratch(NamedTuple):
    z: np.ndarray  # (n,) a row, and 1
    f: np.ndarray  # (M,) what the line says to it
    opinions: np.ndarray  # (5,)
    k: np.ndarray  # P z
    slopes: np.ndarray  # (M,)


def fresh_line(regression: bool, inputs: int, outputs: int, prior: float) -> Line:
    """Before the first row."""
    seen = np.repeat([[np.inf], [-np.inf]], outputs, axis=1)
    line = _fading(prior, FORGETTING, 1, outputs, inputs + 1)
    worth = _fading(prior, SURE, 0 if regression else outputs, 1, INPUTS)
    return Line(regression, line, worth, np.zeros(1, np.int64), seen)


def arrays(line: Line) -> dict[str, np.ndarray]:
    """All that is learned, by name."""
    parts = {"line": line.line, "worth": line.worth}
    found = {f"{name}.{field}": getattr(part, field) for name, part in parts.items() for field in ("weights", "P")}
    return found | {"rows": line.rows, "seen": line.seen}


def _fading(prior: float, forgetting: float, several: int, outputs: int, n: int) -> Fading:
    ridge = 2.0 * math.sinh(-0.5 * n * math.log(forgetting)) / prior
    return Fading(prior, forgetting, ridge, np.zeros((several, outputs, n)), np.repeat([prior * np.eye(n)], several, 0))


@compiled
def say_line(line: Any, rows: np.ndarray) -> None:
    """The last M columns of rows, after those with what the leader says, become what the line says."""
    notes = _scratch(line)
    for row in range(len(rows)):
        _say(line, rows, row, notes)


@compiled
def learn_line(line: Any, loss: Any, rows: np.ndarray, Y: np.ndarray, sizes: np.ndarray) -> None:
    """The same, row by row, each of which is then learned; sizes (T,) are the weights of rows, or empty."""
    notes, outputs, seen = _scratch(line), Y.shape[1], line.seen
    leader = rows.shape[1] - 2 * outputs
    for row in range(len(rows)):
        size, turn = sizes[row] if len(sizes) else 1.0, line.rows[0]
        _say(line, rows, row, notes)
        for m in range(len(line.worth.weights)):
            _weigh(notes.f[m], rows[row, leader + m], notes.opinions)
            _learn(line.worth, m, loss, Y[row], size, turn, notes.opinions, notes)
        _learn(line.line, 0, loss, Y[row], size, turn, notes.z, notes)
        for m in range(outputs):
            seen[0, m], seen[1, m] = min(seen[0, m], Y[row, m]), max(seen[1, m], Y[row, m])
        line.rows[0] += 1


@making
def _scratch(line: Any) -> Any:
    n, outputs = line.line.P.shape[1], line.seen.shape[1]
    return LineScratch(empty(n), empty(outputs), empty(INPUTS), empty(max(n, INPUTS)), empty(outputs))


@inner
def _say(line: Any, rows: np.ndarray, row: int, notes: Any) -> None:
    outputs = len(notes.f)
    leader = rows.shape[1] - 2 * outputs
    for k in range(leader):
        notes.z[k] = rows[row, k]
    notes.z[leader] = 1.0
    for m in range(outputs):
        f = notes.f[m] = bounded(line, m, _value(line.line.weights, 0, m, notes.z))
        if not line.regression:
            _weigh(f, rows[row, leader + m], notes.opinions)
            f = bounded(line, m, _value(line.worth.weights, m, 0, notes.opinions))
        rows[row, leader + outputs + m] = f


@inner
def _weigh(f: float, g: float, opinions: np.ndarray) -> None:
    opinions[0], opinions[1] = f, f / math.sqrt(1.0 + f * f)
    opinions[2], opinions[3] = g, g / math.sqrt(1.0 + g * g)
    opinions[4] = 1.0


@inner
def _value(weights: np.ndarray, at: int, m: int, z: np.ndarray) -> float:
    total = 0.0
    for i in range(len(z)):
        total += weights[at, m, i] * z[i]
    return total


@inner
def _learn(own: Any, at: int, loss: Any, truth: np.ndarray, size: float, turn: int, z: np.ndarray, notes: Any) -> None:
    """Those at a place learn the targets from that place on; then they forget, and a weight gets its ridge back."""
    P, k, slopes, n, outputs = own.P, notes.k, notes.slopes, len(z), own.weights.shape[1]
    v, h = _times(P, at, z, k), 0.0
    for m in range(outputs):
        f, y = _value(own.weights, at, m, z), truth[at + m]
        slope, curvature = parabola(loss, f, y, size * v)
        slopes[m], h = size * slope, max(h, size * curvature)
    if math.isfinite(h * v):
        _take(own, at, k, slopes, h, v, 1.0 / own.forgetting)
    i = turn % n
    for j in range(n):
        k[j] = P[at, i, j]
    for m in range(outputs):
        slopes[m] = own.ridge * own.weights[at, m, i]
    _take(own, at, k, slopes, own.ridge, k[i], 1.0)
    for j in range(n):
        if not 0.0 < P[at, j, j] <= LARGEST_P * own.prior:  # rounding, after numbers out of all proportion
            _start_again(own, at)
            break


@inner
def _times(P: np.ndarray, at: int, z: np.ndarray, k: np.ndarray) -> float:
    """k = Pz and z'Pz; P is symmetric, and its rows lie one after the other."""
    for i in range(len(z)):
        k[i] = 0.0
    for j in range(len(z)):
        if z[j] != 0.0:
            for i in range(len(z)):
                k[i] += P[at, j, i] * z[j]
    v = 0.0
    for i in range(len(z)):
        v += k[i] * z[i]
    return max(v, 0.0)


@inner
def _take(own: Any, at: int, k: np.ndarray, slopes: np.ndarray, h: float, v: float, growth: float) -> None:
    """A step, and what it tells: both sides of P are rounded alike."""
    weights, P, shrink = own.weights, own.P, 1.0 / (1.0 + h * v)
    n, root = weights.shape[2], math.sqrt(h * shrink)
    for m in range(weights.shape[1]):
        for i in range(n):
            weights[at, m, i] -= slopes[m] * shrink * k[i]
    for i in range(n):
        k[i] *= root
    for i in range(n):
        for j in range(n):
            P[at, i, j] = (P[at, i, j] - k[i] * k[j]) * growth


@inner
def _start_again(own: Any, at: int) -> None:
    for i in range(own.P.shape[1]):
        for j in range(own.P.shape[1]):
            own.P[at, i, j] = own.prior if i == j else 0.0
