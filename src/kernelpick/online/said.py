"""What was said to some rows, and rows in parts."""

from typing import NamedTuple

import numpy as np

from kernelpick.core import Outcome
from kernelpick.core.loop import Rows
from kernelpick.online.scaling import to_units
from kernelpick.online.tickets import UNDRAWN

PASSED_OVER = (
    "a loss overflowed, and nothing was learned from that row; a smaller step_scale, no horizon, or targets of smaller "
    "size prevent it."
)


class Said(NamedTuple):
    """What was said to some rows."""

    told_values: np.ndarray | None  # (T, M), where there is no outcome that has them
    units: np.ndarray | None = None  # (4, T, M) of the targets, that the values are scaled by, if they are
    outcome: Outcome | None = None  # of the rounds in which it was said; none while there were no kernels
    told: tuple[np.ndarray, int | None] | None = None  # what follows, where it was put together from parts

    @property
    def values(self) -> np.ndarray:
        """(T, M) scaled, or in units of the target."""
        if self.told_values is not None:
            return self.told_values
        assert self.outcome is not None
        return self.outcome.predictions

    @property
    def arms(self) -> np.ndarray:
        """(T,) the kernels that said it; UNDRAWN while there were none."""
        if self.told is not None:
            return self.told[0]
        return np.full(len(self.values), UNDRAWN) if self.outcome is None else self.outcome.arms

    @property
    def diverged(self) -> int | None:
        """The first row that was passed over."""
        if self.told is not None:
            return self.told[1]
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
        if len(parts) == 1:
            return parts[0]
        starts = np.cumsum([0, *(len(part.values) for part in parts)]).tolist()
        diverged = [at + part.diverged for at, part in zip(starts, parts, strict=False) if part.diverged is not None]
        told = np.concatenate([part.arms for part in parts]), diverged[0] if diverged else None
        return Said(np.concatenate([part.in_units() for part in parts]), told=told)


def part_of(rows: Rows, of: slice) -> Rows:
    return Rows(rows.X[of], rows.Y[of], rows.weights[of], rows.numbers[of])
