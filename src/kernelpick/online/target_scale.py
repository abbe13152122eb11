"""Targets that are positive and skewed: learned as they are, or as their logarithms, whichever is better.

Both are tried with the rows of a fit, each row predicted before its target is used, and judged by the loss in the
target's own units. The exponential of a mean logarithm is too small for a mean: it is multiplied by the mean of
y / exp(f) over what was said (smearing; Duan, 1983), unless the loss asks for a median.
"""

import math
from collections.abc import Callable, Generator
from typing import Any

import numpy as np

from kernelpick import core
from kernelpick.core import Specification, State
from kernelpick.core.loop import Rows
from kernelpick.core.losses import values
from kernelpick.core.numerics.compilation import compiled
from kernelpick.core.record import LOSS, SAID
from kernelpick.online.said import part_of
from kernelpick.online.scaling import (
    CENTER,
    FIRST,
    KIND,
    LOG,
    LOW,
    RATED,
    RATIOS,
    SECOND,
    SEEN,
    SMEAR,
    SPREAD,
    STANDARD,
    scale_targets,
)
from kernelpick.online.statistics import SKEWED, Statistics, owned
from kernelpick.online.units import to_units

FEWEST = 32  # rows
LOG_MOST_OFF = 3.0  # y / exp(f) counts up to the exponential of that
WAYS = ("linear", "log")


def raced(
    spec: Specification, way: str | None, known: Statistics, rows: Rows, begin: Callable[[Rows], State]
) -> Statistics:
    """The scale of targets to learn these rows with; of the rows themselves, only the inputs are scaled.

    way: "linear" or "log" where that was asked for; None leaves it to the rows. begin: a state to learn rows with.
    """
    race = racing(spec, way, known, rows, len(rows.X), lambda scaled: _at_once(spec, begin, scaled))
    try:
        while True:
            next(race)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]


def racing(
    spec: Specification, way: str | None, known: Statistics, rows: Rows, some: int, said: Callable[[Rows], Any]
) -> Generator[float, float, Statistics]:
    """The same in steps: said tells, in steps of its own, what is said to some of the rows, as many as come first."""
    Y, linear, asked = rows.Y, linearly(known, rows.Y), candidates(way, known, rows.Y)
    if not asked.any():
        return linear
    log, first = logarithmic(linear, Y, asked), part_of(rows, slice(some))
    heard = yield from said(in_scale(log, first))
    _smear(spec, log, heard, in_scale(log, first).Y)
    if way is None:
        other = yield from said(in_scale(linear, first))
        worse = _losses(spec, log, heard, first.Y) > _losses(spec, linear, other, first.Y)
        log.table[:, worse] = linear.table[:, worse]
    return log


def candidates(way: str | None, known: Statistics, Y: np.ndarray) -> np.ndarray:
    """(M,) the targets whose logarithms may be learned."""
    positive = (Y > 0).all(axis=0) & (known.kind == STANDARD)
    skewed = positive & (Y.mean(axis=0) > SKEWED * np.median(Y, axis=0)) & (len(Y) >= FEWEST)
    return {"linear": np.zeros_like(positive), "log": positive, None: skewed}[way]


def in_scale(known: Statistics, rows: Rows) -> Rows:
    """The rows with their targets scaled."""
    scaled = np.empty(rows.Y.shape)
    scale_targets(known.table, rows.Y, scaled)
    return rows._replace(Y=scaled)


def has_logs(known: Statistics) -> bool:
    return bool((known.table[KIND] == LOG).any())


def _at_once(spec: Specification, begin: Callable[[Rows], State], scaled: Rows) -> Generator[float, float, np.ndarray]:
    """(T, M) what is said to each row before its target is used, scaled; in one step."""
    state, how = begin(scaled), (scaled.numbers, scaled.weights)
    predictions = core.advance_in_place(spec, state, scaled.X, scaled.Y, *how, skips=True)[1].predictions
    yield float(len(predictions))
    return predictions


@compiled
def rate(table: np.ndarray, record: np.ndarray, Y: np.ndarray, units: np.ndarray) -> None:
    """Add y / exp(f) of rows that were played, in the order of the rows."""
    for row in range(len(record)):
        for m in range(Y.shape[1]):
            if table[KIND, m] == LOG and math.isfinite(record[row, LOSS]):
                off = units[1, row, m] * (Y[row, m] - record[row, SAID + m])
                table[RATIOS, m] += math.exp(min(off, LOG_MOST_OFF))
                table[RATED, m] += 1.0


def smeared_anew(spec: Specification, known: Statistics) -> None:
    """At the end of a window: half by what was said in it."""
    table = known.table
    rated = np.flatnonzero((table[KIND] == LOG) & (table[RATED] > 0.0) & (spec.loss_row.unit == 2))
    table[SMEAR, rated] = 0.5 * (table[SMEAR, rated] + table[RATIOS, rated] / table[RATED, rated])
    table[RATIOS], table[RATED] = 0.0, 0.0


def linearly(known: Statistics, Y: np.ndarray) -> Statistics:
    """With targets that are not logarithms any more, if some were."""
    logs = np.flatnonzero(known.table[KIND] == LOG)
    if not len(logs):
        return known
    known = owned(known)
    known.table[KIND, logs] = STANDARD
    _set(known.table, logs, Y[:, logs])
    return known


def logarithmic(known: Statistics, Y: np.ndarray, which: np.ndarray) -> Statistics:
    """With the logarithms of these targets."""
    known, logs = owned(known), np.flatnonzero(which)
    known.table[KIND, logs], known.table[SMEAR, logs] = LOG, 1.0
    known.table[RATIOS, logs], known.table[RATED, logs] = 0.0, 0.0
    known.table[LOW, logs] = 0.5 * Y[:, logs].min(axis=0)
    _set(known.table, logs, np.log(Y[:, logs]))
    return known


def _set(table: np.ndarray, columns: np.ndarray, Y: np.ndarray) -> None:
    spread = Y.std(axis=0)
    table[CENTER, columns] = Y.mean(axis=0)
    table[SPREAD, columns] = np.where(spread > 1e-12 * abs(Y.mean(axis=0)), spread, 1.0)
    table[SEEN, columns], table[FIRST, columns], table[SECOND, columns] = len(Y), Y.mean(axis=0), len(Y) * Y.var(axis=0)


def _later(Y: np.ndarray) -> slice:
    """What was said in the beginning is no measure."""
    return slice(len(Y) // 4, None)


def _smear(spec: Specification, log: Statistics, said: np.ndarray, scaled: np.ndarray) -> None:
    if spec.loss_row.unit != 2:
        return
    ratios = np.exp(np.minimum(log.table[SPREAD] * (scaled - said), LOG_MOST_OFF))[_later(scaled)]
    is_log = log.table[KIND] == LOG
    log.table[SMEAR, is_log] = ratios.mean(axis=0)[is_log]


def _losses(spec: Specification, known: Statistics, said: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """(M,) in the targets' own units."""
    out = said.copy()
    to_units(out, known.unit)
    out, Y = out[_later(Y)], Y[_later(Y)]
    each = values(spec.loss_key, np.ascontiguousarray(out.ravel()), np.ascontiguousarray(Y.ravel()))
    return np.asarray(each.reshape(Y.shape).mean(axis=0))
