"""How a fit that runs beside the rounds (job.py) learns the rows that it began with, and those that came meanwhile.

It is done for a row or two with each row that comes, so what takes long is done once, or for several rows: rows that
came are scaled some at a time, and companions, which learn them one by one, have a call with its arguments ready.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from kernelpick.core import Specification
from kernelpick.core.companions import NOT_HEARD, learn_rows
from kernelpick.core.loop import Rows
from kernelpick.core.numerics.sequences import Call, Sequence
from kernelpick.core.record import SAID
from kernelpick.online.companions import Companions
from kernelpick.online.heats import Steps
from kernelpick.online.kept_rows import AsItWas
from kernelpick.online.late import Late
from kernelpick.online.mean_loss import MeanLoss
from kernelpick.online.pace import OF_NEW, OF_OLD
from kernelpick.online.preparation import Scales
from kernelpick.online.said import part_of
from kernelpick.online.scaling import scale_rows, scale_targets
from kernelpick.online.statistics import of_labels

SCALED_AT_A_TIME = 64  # rows that are scaled at a time


class Coming:
    """Kept rows up to one that is known beforehand, in the scales of a stream."""

    def __init__(self, stream: Any, kept: AsItWas, late: Late, due: int) -> None:
        self.stream, self.kept, self.late, self.due = stream, kept, late, due
        self.start = self.stop = 0

    def until(self, done: int) -> int:
        """The row up to which some are scaled, after so many; that number itself where no others have come."""
        if done >= self.stop:
            while self.late.next_row <= done:
                self.late.take()
            self.start, self.stop = done, min(done + SCALED_AT_A_TIME, self.kept.count, self.due, self.late.next_row)
            if self.stop > done:
                self.rows, self.units, _ = self.stream._counted(self.kept.between(done, self.stop))
        return self.stop

    def between(self, done: int, stop: int) -> tuple[Rows, np.ndarray]:
        """Some of these, and the units of their targets."""
        part = slice(done - self.start, stop - self.start)
        return part_of(self.rows, part), np.ascontiguousarray(self.units[:, part])


def caught_up(shadow: Any, scaled: Rows, done: int, coming: Coming, paid: MeanLoss | None, counts: bool) -> Steps:
    """The stream plays the scaled rows after so many, then those that came meanwhile, whose losses are paid."""
    base, allowed = len(scaled.X), 1.0
    unit = shadow.targets.unit  # of the rows that it began with
    while done < coming.due:
        stop = min(done + max(1, math.ceil(allowed)), base if done < base else coming.until(done))
        if stop <= done:
            allowed = yield 0.0
            continue
        if done < base:
            some, units = part_of(scaled, slice(done, stop)), np.repeat(unit, stop - done, axis=1)
        else:
            some, units = coming.between(done, stop)
        outcome = shadow._play_rounds(some, units, counts=counts)
        if done >= base and paid is not None:
            paid.add(outcome, some.Y, units, some.weights)
        allowed = yield float(stop - done)
        done = stop


class OneByOne:
    """Companions learn kept rows, in scales as they are now."""

    def __init__(self, companions: Companions, scales: Scales, kept: AsItWas, loss: Any) -> None:
        (inputs, targets), self.companions, self.kept = scales, companions, kept
        wide, high = inputs.table.shape[1], targets.table.shape[1]
        self.x, self.y, self.weight = np.zeros((1, wide)), np.empty((1, high)), np.ones(1)
        rows = Rows(np.empty((1, wide)), np.empty((1, high)), self.weight, np.empty((0, kept.kept.numbers.shape[1])))
        record, heard = np.zeros((1, SAID + high)), np.empty((1, high))
        calls: list[Call] = [
            (scale_rows, (inputs.table, self.x, rows.X)),
            (scale_targets, (targets.table, self.y, rows.Y)),
        ]
        for part in companions.parts:
            calls += [(learn_rows, (companions.held(part), NOT_HEARD, loss, rows, record, heard))]
        self.learns = Sequence(calls)

    def learn(self, row: int) -> None:
        self.kept.copy_row(row, self.x[0], self.y[0], self.weight)
        self.learns()
        self.companions.rows[0] += 1


def taught(
    companions: Companions, spec: Specification, scales: Scales, scaled: Rows, kept: AsItWas, due: int
) -> Iterator[Companions]:
    """Companions learn some rows at a time; what is yielded last knows all of them. Outputs are taken in before the
    rows that they came with, columns when all is done."""
    done, base, (inputs, targets) = 0, len(scaled.X), scales
    new: OneByOne | None = None
    while done < due and companions:
        outputs = kept.next_outputs
        if done < base:
            stop = min(done + OF_OLD, base)
            companions.learn(part_of(scaled, slice(done, stop)), spec.loss_key)
        elif outputs is not None and outputs.since == done:
            spec, targets = replace(spec, n_outputs=outputs.n_now), of_labels(targets, outputs.n_now)
            companions.remap(spec, outputs.sources, outputs.signs)
            kept.known += 1
            new = None
            continue
        else:
            new = new or OneByOne(companions, (inputs, targets), kept, spec.loss_key)
            stop = min(done + OF_NEW, kept.count, due, due if outputs is None else outputs.since)
            for row in range(done, stop):
                new.learn(row)
        done = stop
        yield companions
    yield companions
