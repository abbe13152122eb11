"""Whether inputs have left the range that their scales were made for, and when new scales are due.

Rows are judged by windows of WINDOW rows. A column is out of range in a window if more than half of its values are. New
scales are made, by a fit with the last rows, when the rows kept for it are nearly all of the new kind, and when it
matters: half of the columns are out of range, or the loss is worse than it was in range. A counter that goes up for
ever and does no harm is left alone.
"""

import math
from typing import Any

import numpy as np

from kernelpick.core import Specification
from kernelpick.core.loop import Rows
from kernelpick.online.kept_rows import KeptRows
from kernelpick.online.mean_loss import MeanLoss
from kernelpick.online.scaling import KIND, NOTHING, OUT
from kernelpick.online.statistics import Statistics

WINDOW = 512  # rows
ENTRIES = 2**22  # numbers that are kept at most
NEARLY_ALL, HARDLY = 0.9, 0.1
WORSE = 1.2  # times the loss in range


def n_recent(spec: Specification) -> int:
    """How many rows are kept."""
    return int(np.clip(ENTRIES // spec.n_inputs, 32, spec.row.size.kept))


class Watch:
    """What is known of the window, and the last rows."""

    def __init__(self) -> None:
        self.recent: KeptRows | None = None  # there are none before the last fit
        self.strays = 0  # rows out of range, in all
        self.rows = 0  # of this window
        self.loss, self.weight = 0.0, 0.0  # sums of losses and weights when it began
        self.calm = math.nan  # the mean loss of windows in range, recent ones counting more
        self.alarmed = False  # whether the last window was out of range
        self.warned = False

    @property
    def left(self) -> int:
        """Rows to the end of the window."""
        return WINDOW - self.rows

    def begin(self, spec: Specification, first: KeptRows) -> None:
        """After the last fit: the first rows are the last ones so far."""
        most = n_recent(spec)
        self.recent = first if len(first.X) == most else KeptRows(spec, most)
        if self.recent is not first:
            self.recent.add(first.rows())

    def add(self, rows: Rows, strays: int) -> bool:
        """Rows that were learned, so many of them out of range; True at the end of the window."""
        assert self.recent is not None
        self.recent.add(rows)
        self.rows += len(rows.X)
        self.strays += strays
        return self.rows == WINDOW

    def heard(self, said: MeanLoss) -> float:
        """The mean loss of the window so far."""
        return (said.plain - self.loss) / max(said.weight - self.weight, 1e-300)

    def is_due(self, inputs: Statistics, loss: float, names: Any, notices: list[Any]) -> bool:
        """At the end of a window with that loss: whether new scales are to be made. What is to be warned of goes to the
        notices."""
        counts = inputs.table[OUT]
        furthest = int(counts.argmax())
        share = float(counts[furthest]) / WINDOW
        out = share > 0.5
        due = out and self._matters(inputs, len(names), loss) and (share >= NEARLY_ALL or self.alarmed)
        if share < HARDLY:  # a window in which inputs begin to leave is no measure
            self.calm = loss if math.isnan(self.calm) else 0.5 * (self.calm + loss)
        if out and not self.warned:
            self.warned = True
            notice = (
                f"Inputs have left the range that their scales were made for: column {names[furthest]!r} in "
                f"{share:.0%} of the last {WINDOW} rows. Where predictions suffer from that, new scales are "
                "made and the last rows are learned anew; out_of_range_ counts such rows."
            )
            notices.append((notice, UserWarning))
        self.alarmed = out and not due
        counts[:] = 0.0
        if due:
            self.calm = math.nan
        return due

    def _matters(self, inputs: Statistics, columns: int, loss: float) -> bool:
        """That some are out of range: half of the columns are, or the loss is worse than it was."""
        scaled, share = (inputs.table[KIND] != NOTHING)[:columns].sum(), inputs.table[OUT] / WINDOW
        return bool(2 * (share > 0.5).sum() >= scaled or not loss <= WORSE * self.calm)

    def merged(self, others: "list[Watch]", rows: list[int]) -> "Watch":
        """What several watches know. A new window begins."""
        whole, every = Watch(), [self, *others]
        kept = [one.recent for one in every if one.recent is not None]
        whole.recent = kept[0].merged(kept[1:]) if kept else None
        whole.strays, whole.warned = sum(one.strays for one in every), any(one.warned for one in every)
        calm = [(one.calm, n) for one, n in zip(every, rows, strict=True) if not math.isnan(one.calm)]
        whole.calm = sum(one * n for one, n in calm) / sum(n for _, n in calm) if calm else math.nan
        return whole

    def begin_window(self, said: MeanLoss) -> None:
        """With the next row."""
        self.rows, self.loss, self.weight = 0, said.plain, said.weight
