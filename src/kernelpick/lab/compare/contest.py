"""One contest: a contestant over one stream in one order, each answer given before the label is seen."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from time import thread_time
from typing import NamedTuple

import numpy as np

from kernelpick.lab.compare.contestants import Answer, Contestant
from kernelpick.lab.compare.measures import kappa, windowed
from kernelpick.lab.compare.sources import ContestStream, Wanted
from kernelpick.lab.running.curves import checkpoints

CHUNK = 1_024  # rows that are handed over at a time


class Contest(NamedTuple):
    """What is to be held. The seed is that of the contestant, and the number of the permutation."""

    wanted: Wanted
    contestant: str
    seed: int


class Score(NamedTuple):
    """What came out."""

    error: float  # mean squared error of the target scaled to [0, 1], or the share of wrong labels
    seconds: float  # of processor time a round
    size: int  # bytes of the stored model after the last row; 0 where it cannot be stored
    lost: int  # answers that were no finite number; the constant prediction stands in for them
    note: str  # why it stopped early, if it did; from there on the constant prediction stands in
    curve: list[float]  # the error up to each of `checkpoints`
    coverage: float = math.nan  # how often 0.9 intervals or sets held the target, if it has such
    width: float = math.nan  # the mean width of the intervals, the range of the target being 1
    kappa: float = math.nan  # against no change
    windows: Sequence[float] = ()  # the error in each window of `measures`


def validate(build: Callable[[], Contestant], stream: ContestStream, forgiving: bool) -> Score:
    """Progressive validation; a forgiven contestant may fail on the way."""
    from threadpoolctl import threadpool_limits

    said: list[Answer] = []
    # One thread, as the clock is that of one thread: it does not run while other programs have the processor.
    with threadpool_limits(1), warnings.catch_warnings():
        if forgiving:
            warnings.simplefilter("ignore")  # of overflows, which the result tells
        seconds, size, note, (coverage, width) = ask(build, stream, said, forgiving)
    answers, lost = completed(said, stream, cut=forgiving)
    losses = losses_of(answers, stream)
    with np.errstate(over="ignore"):
        sums, windows = losses.cumsum(), windowed(losses)
        gain = kappa(losses.mean(), losses_of(np.array([0, *stream.y[:-1]]), stream).mean())
    steps = checkpoints(len(losses))
    curve = [float(sums[step - 1] / step) for step in steps]
    width = width if stream.classes else width / 2 / stream.span
    pace = seconds / max(len(said), 1)
    return Score(curve[-1], pace, size, lost, note, curve, coverage, width, gain, windows)


def ask(
    build: Callable[[], Contestant], stream: ContestStream, said: list[Answer], forgiving: bool
) -> tuple[float, int, str, tuple[float, float]]:
    """Fill the list of answers; the time, the size, what went wrong, and what its intervals held."""
    seconds, note, contestant = 0.0, "", build()
    try:
        rows = slice(0, contestant.warm)
        build().answer_and_learn(contestant.prepared(stream.X[rows]), stream.y[rows].tolist(), [])
        for start in range(0, len(stream.y), CHUNK):
            rows = slice(start, start + CHUNK)
            prepared, labels = contestant.prepared(stream.X[rows]), stream.y[rows].tolist()
            begin = thread_time()
            try:
                contestant.answer_and_learn(prepared, labels, said)
            finally:
                seconds += thread_time() - begin
    except Exception as problem:  # whatever a peer may fail with, the others are still to be compared
        if not forgiving:
            raise
        note = f"stopped after {len(said):,} rows: {type(problem).__name__}, {' '.join(str(problem).split())}"
    return seconds, contestant.size(), note, contestant.held()


def completed(said: list[Answer], stream: ContestStream, cut: bool) -> tuple[np.ndarray, int]:
    """One number a row, and how many answers were not finite.

    Where an answer is missing or not finite, the mean of the targets before stands in, or their most frequent class.
    With cut, answers of regression are brought into the range of the targets before: a peer whose answer to one strange
    row is a million times too large is not judged by that row alone.
    """
    y, answers = stream.y, np.full(len(stream.y), np.nan)
    answers[: len(said)] = [np.nan if answer is None else answer for answer in said]
    lost = sum(answer is not None for answer in said) - int(np.isfinite(answers).sum())
    for row in np.flatnonzero(~np.isfinite(answers)):
        answers[row] = _usual(y[:row], bool(stream.classes)) if row else 0.0
    if cut and not stream.classes:
        answers[1:] = np.clip(answers[1:], np.minimum.accumulate(y)[:-1], np.maximum.accumulate(y)[:-1])
    return answers, lost


def _usual(targets: np.ndarray, classes: bool) -> float:
    return float(np.bincount(targets).argmax() if classes else targets.mean())


def losses_of(answers: np.ndarray, stream: ContestStream) -> np.ndarray:
    """(rows,) squared differences in units of the range of the target, or 1 for a wrong label."""
    if stream.classes:
        return (answers != stream.y).astype(float)
    with np.errstate(over="ignore"):
        return ((answers / 2 - stream.y / 2) / stream.span) ** 2
