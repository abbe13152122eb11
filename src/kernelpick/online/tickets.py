"""Delayed labels: a prediction is given now, and learned from when its label comes."""

from typing import Any, NamedTuple

import numpy as np

UNDRAWN = -1  # the arm of a ticket from before there were kernels to draw from


class Ticket(NamedTuple):
    """What ``ask`` gives: a prediction, and the number to name it by in ``tell``."""

    number: int
    prediction: Any


class Slip(NamedTuple):
    """What the model keeps of a ticket: all that the update needs."""

    numbers: np.ndarray  # (n,) the random numbers that decided the round
    row: np.ndarray  # (d,) the inputs as given, for the scaling's statistics
    scaled: np.ndarray  # (d,)
    arm: int  # that spoke
    players: np.ndarray  # (players x columns,) the arms that were drawn, as in the record of core's loop
    values: np.ndarray  # (M,) what was said, in scaled units of the target
    center: np.ndarray  # (M,) of these units
    spread: np.ndarray

    def record(self, values: np.ndarray) -> np.ndarray:
        """For the loop, when the label comes: what was said then, in the units of now."""
        return np.concatenate([[np.nan, self.arm], values[0], self.players])[None, :]


class Desk:
    """The open tickets of a model."""

    def __init__(self) -> None:
        self.issued = 0
        self.open: dict[int, Slip] = {}

    def issue(self, slip: Slip) -> int:
        number = self.issued
        self.issued += 1
        self.open[number] = slip
        return number

    def find(self, number: int) -> Slip:
        if number in self.open:
            return self.open[number]
        if 0 <= number < self.issued:
            raise ValueError(f"Ticket {number} is closed: its label was told, or it was dropped, before.")
        raise ValueError(f"Ticket {number} is unknown: this model has not issued it.")

    def undraw(self) -> None:
        """The arms that were drawn are gone: labels that come for tickets are rounds like any other."""
        self.open.update({number: slip._replace(arm=UNDRAWN) for number, slip in self.open.items()})

    def remap(self, sources: list[int], signs: list[float]) -> None:
        """Outputs change their places; a new one has said nothing."""
        new, old = np.array(sources) < 0, np.maximum(sources, 0)
        for number, slip in self.open.items():
            self.open[number] = slip._replace(
                values=np.where(new, 0.0, slip.values[old] * np.array(signs)),
                center=np.where(new, 0.0, slip.center[old]),
                spread=np.where(new, 1.0, slip.spread[old]),
            )

    def widen(self, n_inputs: int) -> None:
        """Rows have more columns, which were zero then."""
        for number, slip in self.open.items():
            more = np.zeros(n_inputs - len(slip.row))
            self.open[number] = slip._replace(
                row=np.concatenate([slip.row, more]), scaled=np.concatenate([slip.scaled, more])
            )

    def close(self, number: int) -> None:
        self.find(number)
        del self.open[number]


def number_of(ticket: Any) -> int:
    """The number of a ticket, which may also stand for it (in a database, say)."""
    number = ticket.number if isinstance(ticket, Ticket) else ticket
    if isinstance(number, bool) or not isinstance(number, int | np.integer):
        raise ValueError(f"A ticket from ask, or its number, is expected; not {ticket!r}.")
    return int(number)
