"""The progressive table: a line each time the rows have doubled, for people or as JSON."""

import json
import math
import os
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from kernelpick.online.history import CHALLENGE
from kernelpick.streaming.memory import megabytes
from kernelpick.streaming.score import Numbers, Score, mean
from kernelpick.views.figure import short

FIRST = 16  # rows
WIDTHS = (11, 12, 12, 30, 11, 7, 9)
HEADS = ("rows", "error", "since last", "in the lead", "rows/s", "alarms", "memory")
HEADS_BY_KEY = {"in the lead": "keys"}


class Glance(NamedTuple):
    """What a line tells of the model, or of the models."""

    leader: str | None
    alarms: int
    keys: int | None = None  # of one model per key: how many there are


class Tally(NamedTuple):
    """How things stand after so many rows with a label; errors are those of what was said before it was used."""

    rows: int
    error: float
    since: float
    leader: str | None
    rate: float
    alarms: int
    memory: float
    keys: int | None = None


class ProgressTable:
    """Lines at FIRST rows, twice that, and so on, and one at the end."""

    def __init__(self, score: Score, as_json: bool, quiet: bool, out: Callable[[str], None] | None = None) -> None:
        self.score, self.as_json, self.quiet = score, as_json, quiet
        self.last = score.rows, float(score.wrong)
        self.begin = self.clock = time.perf_counter()
        self.first = score.rows  # before this process
        self._out = out or say
        self._headed = False

    @property
    def next(self) -> int:
        """The number of rows that the next line is for."""
        rows = FIRST
        while rows <= self.score.rows:
            rows *= 2
        return rows

    def tally(self, glance: Glance) -> Tally:
        """For now; the next one tells what has come since."""
        score, now = self.score, time.perf_counter()
        rows, wrong = self.last
        tally = Tally(
            score.rows,
            mean(score.wrong, score.rows),
            mean(score.wrong - wrong, score.rows - rows),
            glance.leader,
            (score.rows - max(rows, self.first)) / max(now - self.clock, 1e-9),
            glance.alarms,
            megabytes(),
            glance.keys,
        )
        self.last, self.clock = (score.rows, float(score.wrong)), now
        return tally

    def show(self, glance: Callable[[], Glance]) -> None:
        """The line for now, unless nothing has come since the last one, or nobody wants to see it."""
        if self.quiet or self.score.rows == self.last[0]:
            return
        tally = self.tally(glance())
        if self.as_json:
            self._out(as_json({"event": "progress", **known(tally._asdict(), "keys")}))
            return
        if not self._headed:
            self._headed = True
            heads = [HEADS_BY_KEY.get(head, head) if tally.keys is not None else head for head in HEADS]
            self._out("".join(head.rjust(width) for head, width in zip(heads, WIDTHS, strict=True)))
        self._out("".join(cell.rjust(width) for cell, width in zip(_cells(tally, self.score), WIDTHS, strict=True)))


def _cells(tally: Tally, score: Score) -> list[str]:
    shown = number if isinstance(score, Numbers) else share
    who = f"{tally.keys:,}" if tally.keys is not None else tally.leader or "nobody yet"
    return [
        f"{tally.rows:,}", shown(tally.error), shown(tally.since), who, f"{tally.rate:,.0f}",
        str(tally.alarms), f"{tally.memory:,.0f} MB",
    ]  # fmt: skip


def number(value: float) -> str:
    """Four digits are enough to compare two errors."""
    return "-" if math.isnan(value) else f"{value:,.0f}" if 1e4 <= abs(value) < 1e9 else f"{value:.4g}"


def share(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.2%}"


def leader_of(estimator: Any) -> str | None:
    """The kernel in the lead."""
    model = estimator._model
    return short(model.now().kernel) if model is not None and model.state is not None else None


def alarms_of(estimator: Any) -> int:
    """How often the leader had become worse, and was challenged."""
    model = estimator._model
    return 0 if model is None else sum(entry.why == CHALLENGE for entry in model.history.entries)


def known(event: dict[str, Any], *names: str) -> dict[str, Any]:
    """Without those of the names of which there is nothing to tell."""
    return {name: value for name, value in event.items() if value is not None or name not in names}


def as_json(event: dict[str, Any]) -> str:
    """A line of JSON, which has no NaN and no infinity."""
    plain = {k: None if isinstance(v, float) and not math.isfinite(v) else v for k, v in event.items()}
    return json.dumps(plain, ensure_ascii=False)


def say(line: str) -> None:
    """A line of results, at once: whoever reads a pipe wants to see it now. If nobody reads any longer, that is no
    reason to stop learning."""
    try:
        print(line, file=sys.stdout, flush=True)
    except BrokenPipeError:
        unread()


def unread() -> None:
    """What is printed from now on goes nowhere; the interpreter would try again at its end, and complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def note(line: str) -> None:
    """What is told beside the results."""
    print(line, file=sys.stderr, flush=True)
