"""Processor time a round of several algorithms, side by side, so that a busy machine disturbs all of them alike."""

from __future__ import annotations

from collections.abc import Sequence
from time import thread_time

import numpy as np

from kernelpick.core.stream import advance_in_place, start
from kernelpick.files.text import Floats
from kernelpick.lab.reproduce.runs import Run, specification

ROWS = 1024  # of a block: a few milliseconds, in which the machine hardly changes its mood
PASSES = 7


def seconds_a_round(runs: Sequence[Run], X: Floats, y: Floats) -> list[float]:
    """Each run goes over the rows in blocks, in turn with the others; of each block the fastest of some passes counts.

    Every pass does the same work, block by block, so what is slower was disturbed. Drawing features is not counted.
    """
    specs, Y = [specification(run, *X.shape) for run in runs], y[:, None]
    blocks = [slice(first, first + ROWS) for first in range(0, len(X), ROWS)]
    fastest = np.full((len(runs), len(blocks)), np.inf)
    for spec in specs:
        advance_in_place(spec, start(spec), X[:1], Y[:1])  # compiles
    for _ in range(PASSES):
        states = [start(spec) for spec in specs]
        for place, block in enumerate(blocks):
            for which, (run, spec) in enumerate(zip(runs, specs, strict=True)):
                begin = thread_time()
                states[which], outcome = advance_in_place(spec, states[which], X[block], Y[block])
                fastest[which, place] = min(fastest[which, place], thread_time() - begin)
                if outcome.diverged is not None:
                    raise ValueError(
                        f"{run.cell.algorithm} diverges on {run.cell.dataset}, so its rounds can't be timed; "
                        "leave it out by --algorithms."
                    )
    return [float(total) / len(X) for total in fastest.sum(axis=1)]
