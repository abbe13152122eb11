"""A model as plain JSON and named arrays, and back, with every index checked that compiled code will follow."""

from collections.abc import Callable, Iterable
from dataclasses import asdict, fields
from typing import Any, TypeVar

import numpy as np

from . import core, kernels
from .algorithms import SPECTRAL, has_matrices
from .held import Held
from .kernels import Kernel
from .learners.newton import BATCH
from .model import Model, Plan, beginnings
from .panels import padded
from .registers import LANES
from .scaling import Statistics
from .selectors.leader import LEADER, SPEAKER, seats_for
from .spaces.exact import EMPTY
from .spaces.tiles import TILE
from .specification import Specification
from .tickets import UNDRAWN, Desk, Slip

KERNELS = {
    cls.__name__: cls
    for cls in (
        kernels.Cauchy,
        kernels.Gaussian,
        kernels.Laplacian,
        kernels.Linear,
        kernels.Matern32,
        kernels.Matern52,
        kernels.Polynomial,
    )
}
LATEST = 2**62  # counters stay below
M = TypeVar("M", bound=Model)


# -- values as JSON


def encode(value: Any) -> Any:
    """value as JSON; what JSON does not have becomes {"type": ..., "value": ...}."""
    if isinstance(value, np.generic):
        return encode(value.item())
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if np.isfinite(value) else {"type": "float", "value": repr(value)}
    if isinstance(value, Kernel):
        return {"type": "kernel", "value": {"family": type(value).__name__, **asdict(value)}}
    if isinstance(value, np.ndarray) and value.dtype.kind in "biufUO" and value.ndim == 1:
        return {"type": "array", "value": [value.dtype.str if value.dtype.kind != "O" else "O", encode(list(value))]}
    if isinstance(value, tuple):
        return {"type": "tuple", "value": [encode(item) for item in value]}
    if isinstance(value, list):
        return [encode(item) for item in value]
    if isinstance(value, dict):
        return {"type": "dict", "value": [[encode(key), encode(item)] for key, item in value.items()]}
    raise ValueError(f"{value!r} can't be saved: only numbers, strings, kernels and lists of these can.")


def decode(value: Any) -> Any:
    """The inverse of encode."""
    if isinstance(value, list):
        return [decode(item) for item in value]
    return DECODERS[value["type"]](value["value"]) if isinstance(value, dict) else value


def _decode_array(value: Any) -> np.ndarray:
    dtype, items = value
    if dtype != "O":
        return np.array(decode(items), dtype=np.dtype(str(dtype)))
    array = np.empty(len(items), dtype=object)
    array[:] = decode(items)
    return array


DECODERS: dict[str, Callable[[Any], Any]] = {
    "float": float,
    "kernel": lambda value: KERNELS[value["family"]](**{k: v for k, v in value.items() if k != "family"}),
    "array": _decode_array,
    "tuple": lambda value: tuple(decode(value)),
    "dict": lambda value: {decode(key): decode(item) for key, item in value},
}


# -- a model as JSON and arrays


def arrays_of(model: Model) -> dict[str, np.ndarray]:
    """All arrays by name."""
    found: dict[str, np.ndarray] = {}
    if model.state is not None:
        found |= {f"state.{name}": array for name, array in core.arrays(model.state).items()}
    for name in ("inputs", "targets"):
        found |= {f"{name}.{field}": getattr(getattr(model, name), field) for field in STATISTICS}
    if model.held is not None:
        found |= {f"held.{field}": getattr(model.held, field) for field in HELD_ARRAYS}
    slips = model.desk.open
    if slips:
        found["tickets.number"] = np.array(list(slips), dtype=np.int64)
        found |= {
            f"tickets.{field}": np.array([getattr(slip, field) for slip in slips.values()]) for field in Slip._fields
        }
    return found


STATISTICS = ("counted", "table")
HELD_ARRAYS = ("X", "Y", "weights", "numbers")


def n_bytes(model: Model) -> int:
    return sum(array.nbytes for array in arrays_of(model).values())


def pack(model: Model) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    spec = {field.name: getattr(model.spec, field.name) for field in fields(Specification)}
    about = {
        "specification": encode(spec),
        "plan": {name: getattr(model.plan, name) for name in ("auto_kernels", "scale", "scale_target")},
        "held": model.held.count if model.held else None,
        "draws": model.draws,
        "loss": encode(model.loss[0]),
        "weight": encode(model.weight),
        "issued": model.desk.issued,
    }
    return about, arrays_of(model)


def unpack(cls: type[M], about: dict[str, Any], arrays: dict[str, np.ndarray]) -> M:
    """The model. Whatever does not fit together is a ValueError, TypeError or KeyError."""
    spec = Specification(**decode(about["specification"]))
    plan = Plan(spec, **about["plan"])
    model = cls.__new__(cls)
    model.plan, model.spec = plan, spec
    inputs, targets = beginnings(plan)
    model.inputs, model.targets = _statistics("inputs", inputs, arrays), _statistics("targets", targets, arrays)
    model.held = None if about["held"] is None else _held(about["held"], plan, arrays)
    model.state = None
    if model.held is None or model.held.count >= plan.fits[0]:
        own = {name.removeprefix("state."): array for name, array in arrays.items() if name.startswith("state.")}
        model.state = _state(spec, own)
    model.draws = _counter(about["draws"])
    model.loss, model.weight = np.array([float(decode(about["loss"]))]), float(decode(about["weight"]))
    _fill_desk(model, _counter(about["issued"]), arrays)
    return model


def _statistics(name: str, fresh: Statistics, arrays: dict[str, np.ndarray]) -> Statistics:
    own = {field: arrays[f"{name}.{field}"] for field in STATISTICS}
    _check_shapes({field: getattr(fresh, field).shape for field in STATISTICS}, own, ("counted",))
    _counter(int(own["counted"][0]))
    return fresh._replace(counted=own["counted"].copy(), table=own["table"].copy())


def _held(count: int, plan: Plan, arrays: dict[str, np.ndarray]) -> Held:
    own, spec, most = {field: arrays[f"held.{field}"] for field in HELD_ARRAYS}, plan.specification, plan.fits[-1]
    shapes = {"X": (most, spec.n_inputs), "Y": (most, spec.n_outputs), "weights": (most,), "numbers": (most,)}
    _check_shapes(shapes, own)
    held = Held(1, 1)
    held.__dict__.update({field: array.copy() for field, array in own.items()})
    held.count = _counter(count, most - 1)
    X, Y, weights, numbers = held.rows()
    if not (np.isfinite(X).all() and np.isfinite(Y).all() and ((numbers >= 0) & (numbers < 1)).all()):
        raise ValueError("the rows that are held are not finite")
    if not ((weights > 0) & (weights < np.inf)).all():
        raise ValueError("the weights of rows that are held are wrong")
    return held


def _state(spec: Specification, own: dict[str, np.ndarray]) -> core.State:
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
    _check_shapes(shapes, own, [name for name, array in fresh.items() if array.dtype == np.int64])
    for name in ("space.family", "space.group"):
        if name in fresh and not np.array_equal(fresh[name], own[name]):
            raise ValueError(f"{name} does not belong to the kernels")
    _counter(int(own["ledger.clock"][0]))
    if "space.tiles" in own:
        _check_chains(own, pool)
    if "selector.seat" in own:
        _check_race(own, seats_for(arms, spec.hypotheses))
    if "learner.waiting" in own and not ((own["learner.waiting"] >= 0) & (own["learner.waiting"] < BATCH)).all():
        raise ValueError("the rows that wait are too many")
    if "learner.faded" in own:
        _counter(int(own["learner.faded"].min(initial=0)))
    return core.restore(spec, own)


POOLED = {f"space.{name}" for name in ("tiles", "squares", "large", "coefficients", "following")}


def _check_chains(own: dict[str, np.ndarray], pool: int) -> None:
    """Each chain of tiles has as many as its examples fill, ends where it says, and none is in two chains."""
    chains, following, used = own["space.chains"].tolist(), own["space.following"].tolist(), own["space.used"].tolist()
    seen: set[int] = set()
    for first, last, count in chains:
        tile, end = first, EMPTY
        for _ in range(-(-_counter(count, pool * TILE) // TILE)):
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
        _counter(value)


def _fill_desk(model: Model, issued: int, arrays: dict[str, np.ndarray]) -> None:
    model.desk = Desk()
    model.desk.issued = issued
    if "tickets.number" not in arrays:
        return
    own = {field: arrays[f"tickets.{field}"] for field in ("number", *Slip._fields)}
    count, width = len(own["number"]), model.spec.n_inputs
    shapes = {"row": (count, width), "scaled": (count, width), "values": (count, model.spec.n_outputs)}
    _check_shapes({field: shapes.get(field, (count,)) for field in own}, own, ("number", "arm"))
    for i, number in enumerate(own["number"].tolist()):
        slip = Slip(*(own[f][i].copy() if f in shapes else own[f][i].item() for f in Slip._fields))
        drawn = 0 <= slip.arm < len(model.spec.kernels) and 0 < slip.probability <= 1
        if not (0 <= number < issued and 0 <= slip.u < 1 and (drawn or slip.arm == UNDRAWN)):
            raise ValueError(f"ticket {number} is broken")
        model.desk.open[number] = slip


def _check_shapes(
    shapes: dict[str, tuple[int, ...]], arrays: dict[str, np.ndarray], integers: Iterable[str] = ()
) -> None:
    for name, shape in shapes.items():
        dtype = np.dtype(np.int64 if name in integers else np.float64)
        if arrays[name].shape != shape or arrays[name].dtype != dtype:
            raise ValueError(f"{name} is {arrays[name].dtype}{arrays[name].shape}, not {dtype}{shape}")


def _counter(value: Any, largest: int = LATEST) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= largest:
        raise ValueError(f"{value!r} is no count")
    return value
