"""Files of earlier versions, their arrays in the layout of today.

Version 1 had one random number a round and one player a ticket. Versions 1 and 2 knew less of columns: four lines for
each, none where nothing is scaled, and one count of rows for all. Their "auto" had another learner for many columns,
and the numbers of tickets were in an array. Versions 1 to 3 forgot old rows at another time.
Trees of some files of versions 4 and 5 have kept less rows than today, and know nothing of merges.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from kernelpick.core import Specification
from kernelpick.core.algorithms import ALGORITHMS
from kernelpick.core.companions.growing import COUNT, HANDS
from kernelpick.core.companions.keeping import RING
from kernelpick.core.learners.adagrad import Adagrad
from kernelpick.core.record import n_player_columns
from kernelpick.files.values import decode
from kernelpick.online.scaling import CENTER, FIRST, LEFT, NEGATIVE, NOTHING, ROWS, SECOND, SEEN, SPREAD, TOTAL
from kernelpick.online.statistics import FROZEN_AFTER, Statistics

ROLES = 3.0  # charged, and learns
TREES, OLD_HANDS, OLD_RING = "companions.trees.", 12, 4224
UNKNOWN = object()  # a prediction that a file does not have


def as_it_was(spec: Specification, arrays: dict[str, np.ndarray]) -> Specification:
    """The "auto" of versions 1 and 2 took adagrad for more than 1,000 columns; what began with it goes on with it."""
    if spec.algorithm == "auto" and "state.learner.squares" in arrays:
        return replace(spec, algorithm=replace(ALGORITHMS["auto"], beyond=Adagrad))
    return spec


def in_todays_layout(
    spec: Specification, arrays: dict[str, np.ndarray], scales: tuple[Statistics, Statistics]
) -> dict[str, np.ndarray]:
    """The arrays of a file, whichever version it has; scales are those of inputs and targets before the first row."""
    arrays = dict(arrays)
    if "state.learner.faded" in arrays:  # what was still to be forgotten is forgotten with the next rows
        arrays["state.learner.turn"] = np.zeros_like(arrays.pop("state.learner.faded"))
    for name, fresh in zip(("inputs", "targets"), scales, strict=True):
        if f"{name}.counted" in arrays:
            arrays[f"{name}.table"] = _table(fresh, arrays[f"{name}.table"], arrays.pop(f"{name}.counted"))
            if name == "targets":
                arrays["targets.table"][NEGATIVE] = 1.0  # nobody knows
    for name in ("tickets.center", "tickets.spread"):
        if arrays.get(name, np.zeros((1, 1))).ndim == 1:
            arrays[name] = np.repeat(arrays[name][:, None], spec.n_outputs, axis=1)
    if "tickets.center" in arrays and "tickets.smear" not in arrays:
        arrays["tickets.smear"] = np.zeros_like(arrays["tickets.center"])
        arrays["tickets.floor"] = np.full_like(arrays["tickets.center"], -np.inf)
    if arrays.get("held.numbers", np.zeros((1, 1))).ndim == 1:
        arrays["held.numbers"] = arrays["held.numbers"][:, None]
    if "tickets.u" in arrays:
        arrays["tickets.numbers"] = arrays.pop("tickets.u").reshape(-1, 1)
        arm, p = arrays["tickets.arm"].astype(float), arrays.pop("tickets.probability")
        players = np.stack([arm, arm, p, p, np.ones_like(p), np.full_like(p, ROLES)], axis=1)
        arrays["tickets.players"] = players[:, : n_player_columns(spec)]
    if arrays.get(f"{TREES}clock", np.zeros(0)).shape == (OLD_HANDS,):
        arrays |= _trees(arrays)
    return arrays


def _trees(arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The rows that trees have kept, in the places of today."""
    clock = np.concatenate([arrays[f"{TREES}clock"], np.zeros(HANDS - OLD_HANDS, np.int64)])
    numbers, found = np.arange(max(clock[COUNT] - OLD_RING, 0), clock[COUNT]), {f"{TREES}clock": clock}
    for name, nothing in (("bins", 0), ("targets", -1.0), ("scores", 0.0), ("weights", 0.0)):
        old = arrays[f"{TREES}{name}"]
        if old.shape[-1] != OLD_RING:
            raise ValueError(f"{TREES}{name} has {old.shape[-1]} rows, not {OLD_RING}")
        found[f"{TREES}{name}"] = new = np.full((*old.shape[:-1], RING), nothing, old.dtype)
        new[..., numbers % RING] = old[..., numbers % OLD_RING]
    return found


def _table(fresh: Statistics, old: np.ndarray, counted: np.ndarray) -> np.ndarray:
    """Nobody knows the sums of all values: the center stands for their mean."""
    table = fresh.table.copy()
    if fresh.kind == NOTHING:
        return table
    if old.shape != (4, table.shape[1]) or counted.shape != (1,):
        raise ValueError(f"the statistics of columns are {old.shape}, not {(4, table.shape[1])}")
    rows = float(counted[0])
    table[FIRST], table[SECOND], table[CENTER], table[SPREAD] = old
    table[SEEN], table[ROWS, 0] = rows, min(max(rows, 1.0), FROZEN_AFTER)
    table[LEFT] = max(FROZEN_AFTER - rows, 0.0) if fresh.running else 0.0
    table[TOTAL] = table[CENTER] * table[ROWS, 0]
    return table


def tickets(about: dict[str, Any], arrays: dict[str, np.ndarray]) -> list[tuple[Any, Any]]:
    """The id of each open ticket, and what was said, whichever version the file has."""
    if "tickets.number" in arrays:
        return [(number, UNKNOWN) for number in arrays["tickets.number"].tolist()]
    return [(id, decode(prediction)) for id, prediction in about.get("tickets", ())]
