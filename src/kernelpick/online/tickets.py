"""Delayed labels: a prediction is given now, and learned from when its label comes."""

from typing import Any, NamedTuple

import numpy as np

from kernelpick.online.units import to_units

UNDRAWN = -1  # the arm of a ticket from before there were kernels to draw from


class Ticket(NamedTuple):
    """What ``ask`` gives: a prediction, and the id to name it by in ``tell``, a number or one of the user's own."""

    id: int | str
    prediction: Any

    @property
    def number(self) -> int | str:
        """The id, by the name that it had when all of them were numbers."""
        return self.id


class Slip(NamedTuple):
    """What the model keeps of a ticket: all that the update needs."""

    numbers: np.ndarray  # (n,) the random numbers that decided the round
    row: np.ndarray  # (d,) the inputs as given, for the scaling's statistics
    scaled: np.ndarray  # (d,)
    arm: int  # that spoke
    players: np.ndarray  # (players x columns,) the arms that were drawn, as in the record of core's loop
    values: np.ndarray  # (M,) what was said, in scaled units of the target
    center: np.ndarray  # (M,) these units, see scaling.to_units
    spread: np.ndarray
    smear: np.ndarray
    floor: np.ndarray
    prediction: Any = None  # what the face made of it

    def in_units(self) -> np.ndarray:
        """(1, M) what was said, in units of the target."""
        out = self.values[None, :].copy()
        to_units(out, np.stack([self.center, self.spread, self.smear, self.floor])[:, None])
        return out

    def record(self, values: np.ndarray) -> np.ndarray:
        """For the loop, when the label comes: what was said then, in the units of now."""
        return np.concatenate([[np.nan, self.arm], values[0], self.players])[None, :]


class Desk:
    """The open tickets of a model."""

    def __init__(self) -> None:
        self.issued = 0  # the next number
        self.open: dict[int | str, Slip] = {}

    def issue(self, slip: Slip, id: int | str | None = None) -> Ticket:
        """Under a number of its own, where there is no id."""
        if id is None:
            while self.issued in self.open:  # it may be an id of the user's own
                self.issued += 1
            id = self.issued
            self.issued += 1
        self.open[id] = slip
        return Ticket(id, slip.prediction)

    def check_free(self, id: int | str) -> None:
        if id in self.open:
            raise ValueError(
                f"The id {id!r} is in use: tell or drop the open ticket of that id first, or take another."
            )

    def tickets(self) -> list[Ticket]:
        return [Ticket(id, slip.prediction) for id, slip in self.open.items()]

    def find(self, id: int | str) -> Slip:
        if id in self.open:
            return self.open[id]
        if isinstance(id, int) and 0 <= id < self.issued:
            raise ValueError(f"Ticket {id} is closed: its label was told, or it was dropped, before.")
        raise ValueError(f"Ticket {id!r} is unknown: no open ticket of this model has that id.")

    def merged(self, others: "list[Desk]", rows: list[int]) -> "Desk":
        """All tickets of several models; refused are two of the same id."""
        whole = Desk()
        for one in (self, *others):
            twice = [id for id in one.open if id in whole.open]
            if twice:
                raise ValueError(
                    f"The ticket {twice[0]!r} is open in two of the models, so they can't be merged: tell or drop it "
                    "first, or ask with ids of your own."
                )
            whole.open.update(one.open)
            whole.issued = max(whole.issued, one.issued)
        return whole

    def undraw(self) -> None:
        """The arms that were drawn are gone: labels that come for tickets are rounds like any other."""
        self.open.update({id: slip._replace(arm=UNDRAWN) for id, slip in self.open.items()})

    def remap(self, sources: list[int], signs: list[float]) -> None:
        """Outputs change their places; a new one has said nothing."""
        new, old = np.array(sources) < 0, np.maximum(sources, 0)
        for id, slip in self.open.items():
            self.open[id] = slip._replace(
                values=np.where(new, 0.0, slip.values[old] * np.array(signs)),
                center=np.where(new, 0.0, slip.center[old]),
                spread=np.where(new, 1.0, slip.spread[old]),
                smear=slip.smear[old],
                floor=slip.floor[old],
            )

    def widen(self, n_inputs: int) -> None:
        """Rows have more columns, which were zero then."""
        for id, slip in self.open.items():
            more = np.zeros(n_inputs - len(slip.row))
            self.open[id] = slip._replace(
                row=np.concatenate([slip.row, more]), scaled=np.concatenate([slip.scaled, more])
            )

    def close(self, id: int | str) -> None:
        self.find(id)
        del self.open[id]


def id_of(ticket: Any) -> int | str:
    """The id of a ticket, which may also stand for it (in a database, say)."""
    return checked_id(ticket.id if isinstance(ticket, Ticket) else ticket, "A ticket from ask, or its id, is expected")


def checked_id(id: Any, wanted: str = "The id of a ticket is a string or a whole number") -> int | str:
    if isinstance(id, str):
        return str(id)
    if isinstance(id, bool) or not isinstance(id, int | np.integer):
        raise ValueError(f"{wanted}; not {id!r}.")
    return int(id)
