"""What kernels and companions say, joined: a second-order stack for each output.

The prediction is w.z, z what each of n parts says. With the slope g and the curvature h of the loss's parabola at w.z,

    P <- P / FORGETTING, of a trace of at most TRUST n;  P <- P - h (P z)(P z)' / (1 + h z'P z);  w <- w - g P z

and at the start w = 1/n, P = TRUST I. What is said is bounded by the targets seen, as in second-order learners. As
long as a companion has nothing to say, kernels speak alone.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from kernelpick.core.learners.newton import bounded
from kernelpick.core.losses import parabola, value
from kernelpick.core.numerics.arrays import empty
from kernelpick.core.numerics.compilation import compiled, inner
from kernelpick.core.record import LOSS, SAID

TRUST = 0.1
FORGETTING = 0.9998


class Stack(NamedTuple):
    regression: bool
    weights: np.ndarray  # (M, n) the w
    trust: np.ndarray  # (M, n, n) the P
    seen: np.ndarray  # (2, M) smallest and largest target


def fresh_stack(regression: bool, outputs: int, n: int) -> Stack:
    """Of n parts, before it has learned anything."""
    seen = np.repeat([[np.inf], [-np.inf]], outputs, axis=1)
    return Stack(regression, np.full((outputs, n), 1.0 / n), np.repeat([TRUST * np.eye(n)], outputs, axis=0), seen)


def pooled_stack(stacks: list[Stack], rows: list[int]) -> Stack:
    """Of shards that have so many rows: P^-1 is the mean of theirs by rows, and w = P (the mean of P_s^-1 w_s).

    It is as sure as one of them, and not as all together: they have learned to join what each had, which is other now.
    """
    shares = np.array(rows) / sum(rows) if any(rows) else np.full(len(rows), 1.0 / len(rows))
    known = shares[:, None, None, None] * np.linalg.inv([stack.trust for stack in stacks])
    trust = np.linalg.inv(known.sum(axis=0))
    weights = trust @ (known @ np.array([stack.weights for stack in stacks])[..., None]).sum(axis=0)
    seen = np.array([stack.seen for stack in stacks])
    ends = np.stack([seen[:, 0].min(axis=0), seen[:, 1].max(axis=0)])
    trust = np.ascontiguousarray(0.5 * (trust + trust.transpose(0, 2, 1)))
    return Stack(stacks[0].regression, np.ascontiguousarray(weights[..., 0]), trust, ends)


@inner
def speaks(said: np.ndarray, row: int) -> bool:
    """Whether all companions have something to say to the row; said is (companions, T, M)."""
    for c in range(len(said)):
        for m in range(said.shape[2]):
            if not math.isfinite(said[c, row, m]):
                return False
    return True


@inner
def _joined(stack: Any, m: int, own: float, said: np.ndarray, row: int) -> float:
    """w.z, before it is bounded."""
    total = stack.weights[m, 0] * own
    for c in range(len(said)):
        total += stack.weights[m, 1 + c] * said[c, row, m]
    return total


@compiled
def join(stack: Any, values: np.ndarray, said: np.ndarray) -> None:
    """values (T, M), what kernels say, become what all say together; said is (companions, T, M)."""
    for row in range(len(values)):
        if speaks(said, row):
            for m in range(values.shape[1]):
                values[row, m] = bounded(stack, m, _joined(stack, m, values[row, m], said, row))


@compiled
def learn_to_join(
    stack: Any, loss: Any, record: np.ndarray, own: np.ndarray, said: np.ndarray, Y: np.ndarray, sizes: np.ndarray
) -> None:
    """Row by row: the record gets what all say together and its loss, then the stack learns from the target.

    sizes (T,) are the weights of rows, or empty. Where own (T, M) is not empty, the record has what was said earlier,
    and stays; own is what kernels say now.
    """
    n, asked = stack.weights.shape[1], len(own) > 0
    z, k, f = empty(n), empty(n), empty(Y.shape[1])
    for row in range(len(Y)):
        if not math.isfinite(record[row, LOSS]):
            continue
        total = math.nan
        if speaks(said, row):
            total = 0.0
            for m in range(Y.shape[1]):
                f[m] = _joined(stack, m, own[row, m] if asked else record[row, SAID + m], said, row)
                total += value(loss, bounded(stack, m, f[m]), Y[row, m])
        for m in range(Y.shape[1]):
            y, seen = Y[row, m], stack.seen
            if math.isfinite(total):
                z[0] = own[row, m] if asked else record[row, SAID + m]
                for c in range(len(said)):
                    z[1 + c] = said[c, row, m]
                if not asked:
                    record[row, SAID + m], record[row, LOSS] = bounded(stack, m, f[m]), total
                _learn(stack.weights[m], stack.trust[m], loss, f[m], y, sizes[row] if len(sizes) else 1.0, z, k)
            seen[0, m], seen[1, m] = min(seen[0, m], y), max(seen[1, m], y)


@inner
def _learn(
    weights: np.ndarray, trust: np.ndarray, loss: Any, f: float, y: float, size: float, z: np.ndarray, k: np.ndarray
) -> None:
    n, trace = len(weights), 0.0
    for i in range(n):
        trace += trust[i, i] / FORGETTING
    fade = min(1.0, TRUST * n / trace) / FORGETTING
    v = 0.0
    for i in range(n):
        k[i] = 0.0
        for j in range(n):
            trust[i, j] *= fade
            k[i] += trust[i, j] * z[j]
        v += k[i] * z[i]
    slope, curvature = parabola(loss, f, y, size * max(v, 0.0))
    slope, curvature = size * slope, size * curvature
    if not (v >= 0.0 and math.isfinite((slope + curvature) * v)):  # rounding, after numbers out of all proportion
        for i in range(n):
            for j in range(n):
                trust[i, j] = TRUST if i == j else 0.0
        return
    for i in range(n):
        weights[i] -= slope * k[i] / (1.0 + curvature * v)
        for j in range(n):
            trust[i, j] -= curvature * k[i] * k[j] / (1.0 + curvature * v)
