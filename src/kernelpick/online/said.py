"""What was said to some rows, and rows in parts."""

from typing import NamedTuple

import numpy as np

from kernelpick.core import Outcome
from kernelpick.core.loop import Rows
from kernelpick.online.tickets import UNDRAWN
from kernelpick.online.units import to_units

PASSED_OVER = (
    "a loss overflowed, and nothing was learned from that row; a smaller step_scale, no horizon, or targets of smaller "
    "size prevent it."
)


class Said(NamedTuple):
    """What was said to some rows."""

    told_values: np.ndarray | None  # (T, M), where there is no outcome that has them
    units: np.ndarray | None = None  # (4, T, M) of the targets, that the values are scaled by, if they are
    outcome: Outcome | None = None  # of the rounds in which it was said; none while there were no kernels
    parts: "tuple[Said, ...]" = ()  # what it consists of; they are put together when somebody asks, as few do

    @property
    def values(self) -> np.ndarray:
        """(T, M) scaled, or in units of the target."""
        if self.parts:
            return np.concatenate([part.in_units() for part in self.parts])
        if self.told_values is not None:
            return self.told_values
        assert self.outcome is not None
        return self.outcome.predictions

    @property
    def arms(self) -> np.ndarray:
        """(T,) the kernels that said it; UNDRAWN while there were none."""
        if self.parts:
            return np.concatenate([part.arms for part in self.parts])
        return np.full(len(self.values), UNDRAWN) if self.outcome is None else self.outcome.arms

    @property
    def diverged(self) -> int | None:
        """The first row that was passed over."""
        done = 0
        for part in self.parts:
            if part.diverged is not None:
                return done + part.diverged
            done += len(part.values)
        return None if self.outcome is None else self.outcome.diverged

    def in_units(self) -> np.ndarray:
        """(T, M) in units of the target."""
        if self.units is None:
            return self.values
        out = self.values.copy()
        to_units(out, self.units)
        return out

    @staticmethod
    def together(parts: "list[Said]") -> "Said":
        return parts[0] if len(parts) == 1 else Said(None, parts=tuple(parts))


def part_of(rows: Rows, of: slice) -> Rows:
    return Rows(rows.X[of], rows.Y[of], rows.weights[of], rows.numbers[of])
