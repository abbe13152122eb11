"""The state of an algorithm from the arrays of a file, with every index checked that compiled code will follow."""

import numpy as np

from kernelpick import core
from kernelpick.algorithms import SPECTRAL, has_matrices
from kernelpick.files.checks import check_shapes, counter
from kernelpick.learners.newton import BATCH
from kernelpick.panels import padded
from kernelpick.registers import LANES
from kernelpick.selectors.leader import LEADER, SPEAKER, seats_for
from kernelpick.spaces.exact import EMPTY
from kernelpick.spaces.tiles import TILE
from kernelpick.specification import Specification


def restored(spec: Specification, own: dict[str, np.ndarray]) -> core.State:
    """The state whose arrays these are, by name."""
    arms, outputs = len(spec.kernels), spec.n_outputs
    # First the sizes that the file claims and does have, so that nothing larger than the file is allocated.
    if spec.row.space in SPECTRAL:
        size = spec.problem(1).size
        if own["space.weights"].shape != (arms, outputs, size):
            raise ValueError("the weights have a wrong shape")
        if own["space.frequencies"].shape[1:] != (spec.n_inputs, spec.n_features):
            raise ValueError("the frequencies have a wrong shape")
        if has_matrices(spec.row, spec.n_inputs):
            seats, order = seats_for(arms, spec.hypotheses) if spec.row.leads else arms, padded(size)
            if own["learner.P"].shape != (seats, order // LANES, order, LANES):
                raise ValueError("the matrices have a wrong shape")
    elif own["space.scales"].shape != (arms, outputs) or own["space.tiles"].shape[1] != spec.n_inputs:
        raise ValueError("the examples have a wrong shape")
    fresh = core.arrays(core.start(spec))
    pool = len(own["space.tiles"]) if "space.tiles" in own else 0
    shapes = {name: (pool, *array.shape[1:]) if name in POOLED else array.shape for name, array in fresh.items()}
    check_shapes(shapes, own, [name for name, array in fresh.items() if array.dtype == np.int64])
    for name in ("space.family", "space.group"):
        if name in fresh and not np.array_equal(fresh[name], own[name]):
            raise ValueError(f"{name} does not belong to the kernels")
    counter(int(own["ledger.clock"][0]))
    if "space.tiles" in own:
        _check_chains(own, pool)
    if "selector.seat" in own:
        _check_race(own, seats_for(arms, spec.hypotheses))
    if "learner.waiting" in own and not ((own["learner.waiting"] >= 0) & (own["learner.waiting"] < BATCH)).all():
        raise ValueError("the rows that wait are too many")
    if "learner.faded" in own:
        counter(int(own["learner.faded"].min(initial=0)))
    return core.restore(spec, own)


POOLED = {f"space.{name}" for name in ("tiles", "squares", "large", "coefficients", "following")}


def _check_chains(own: dict[str, np.ndarray], pool: int) -> None:
    """Each chain of tiles has as many as its examples fill, ends where it says, and none is in two chains."""
    chains, following, used = own["space.chains"].tolist(), own["space.following"].tolist(), own["space.used"].tolist()
    seen: set[int] = set()
    for first, last, count in chains:
        tile, end = first, EMPTY
        for _ in range(-(-counter(count, pool * TILE) // TILE)):
            if not 0 <= tile < pool or tile in seen:
                raise ValueError("a chain of examples is broken")
            seen.add(tile)
            tile, end = following[tile], tile
        if tile != EMPTY or end != last:
            raise ValueError("a chain of examples does not end")
    if used[0] != len(seen) or sorted(seen) != list(range(used[0])) or used[1] != sum(chain[2] for chain in chains):
        raise ValueError("the number of examples is wrong")


def _check_race(own: dict[str, np.ndarray], seats: int) -> None:
    """Every seat is taken once, and those who lead, speak and play have one."""
    seat, race = own["selector.seat"], own["selector.race"]
    for flags in (own["selector.playing"], own["selector.fresh"]):
        if not (((flags == 0) | (flags == 1)) & ((flags == 0) | (seat >= 0))).all():
            raise ValueError("an arm without a seat plays")
    if sorted(seat[seat != -1].tolist()) != list(range(seats)):
        raise ValueError("the seats are wrong")
    for arm in (race[LEADER], race[SPEAKER]):
        if not 0 <= arm < len(seat) or seat[arm] < 0:
            raise ValueError("the leader has no seat")
    for value in race[2:].tolist():
        counter(value)
