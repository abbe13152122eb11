"""Files of earlier versions, their arrays in the layout of today.

Version 1 had one random number a round and one player a ticket, and the numbers of tickets in an array.
"""

from typing import Any

import numpy as np

from kernelpick.core import Specification
from kernelpick.core.record import PLAYER_COLUMNS
from kernelpick.files.values import decode

ROLES = 3.0  # charged, and learns
UNKNOWN = object()  # a prediction that a file does not have


def in_todays_layout(spec: Specification, arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The arrays of a file, whichever version it has."""
    arrays = dict(arrays)
    if arrays.get("held.numbers", np.zeros((1, 1))).ndim == 1:
        arrays["held.numbers"] = arrays["held.numbers"][:, None]
    if "tickets.u" in arrays:
        arrays["tickets.numbers"] = arrays.pop("tickets.u").reshape(-1, 1)
        arm, p = arrays["tickets.arm"].astype(float), arrays.pop("tickets.probability")
        players = np.stack([arm, arm, p, p, np.ones_like(p), np.full_like(p, ROLES)], axis=1)
        arrays["tickets.players"] = players[:, : PLAYER_COLUMNS * spec.row.selector.drawn]
    return arrays


def tickets(about: dict[str, Any], arrays: dict[str, np.ndarray]) -> list[tuple[Any, Any]]:
    """The id of each open ticket, and what was said, whichever version the file has."""
    if "tickets.number" in arrays:
        return [(number, UNKNOWN) for number in arrays["tickets.number"].tolist()]
    return [(id, decode(prediction)) for id, prediction in about.get("tickets", ())]
