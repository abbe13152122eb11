"""A model as plain JSON and named arrays, and back, with all that does not fit together refused."""

from dataclasses import fields
from typing import Any, TypeVar

import numpy as np

from kernelpick import core
from kernelpick.files import states
from kernelpick.files.checks import check_shapes, counter
from kernelpick.files.values import decode, encode
from kernelpick.online.first_rows import FirstRows
from kernelpick.online.model import Model
from kernelpick.online.plan import Plan, specified
from kernelpick.online.preparation import preparation
from kernelpick.online.rounds import Books
from kernelpick.online.scaling import Statistics
from kernelpick.online.tickets import UNDRAWN, Desk, Slip
from kernelpick.specification import Specification

M = TypeVar("M", bound=Model)
STATISTICS = ("counted", "table")
HELD = ("X", "Y", "weights", "numbers")
CHOICES = ("auto_kernels", "scale", "scale_target", "auto_features")


def arrays_of(model: Model) -> dict[str, np.ndarray]:
    """All arrays by name."""
    found: dict[str, np.ndarray] = {}
    if model.state is not None:
        found |= {f"state.{name}": array for name, array in core.arrays(model.state).items()}
    for name in ("inputs", "targets"):
        found |= {f"{name}.{field}": getattr(getattr(model, name), field) for field in STATISTICS}
    if model.first is not None:
        found |= {f"held.{field}": getattr(model.first, field) for field in HELD}
    slips = model.desk.open
    if slips:
        found["tickets.number"] = np.array(list(slips), dtype=np.int64)
        found |= {
            f"tickets.{field}": np.array([getattr(slip, field) for slip in slips.values()]) for field in Slip._fields
        }
    return found


def n_bytes(model: Model) -> int:
    return sum(array.nbytes for array in arrays_of(model).values())


def pack(model: Model) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    spec = {field.name: getattr(model.spec, field.name) for field in fields(Specification)}
    about = {
        "specification": encode(spec),
        "plan": {name: getattr(model.plan, name) for name in CHOICES},
        "held": model.first.count if model.first else None,
        "draws": model.draws,
        "loss": encode(model.books.loss[0]),
        "weight": encode(model.books.weight),
        "issued": model.desk.issued,
    }
    return about, arrays_of(model)


def unpack(cls: type[M], about: dict[str, Any], arrays: dict[str, np.ndarray]) -> M:
    """The model. Whatever does not fit together is a ValueError, TypeError or KeyError."""
    spec = specified(decode(about["specification"]))
    plan = Plan(spec, **about["plan"])
    model = cls.__new__(cls)
    model.plan, model.spec, model.preparation = plan, spec, preparation(plan)
    inputs, targets = model.preparation.scales()
    model.inputs, model.targets = _statistics("inputs", inputs, arrays), _statistics("targets", targets, arrays)
    fits = model.preparation.fits
    model.first = None if about["held"] is None else _first_rows(about["held"], spec, fits[-1], arrays)
    model.state = None
    if model.first is None or model.first.count >= fits[0]:
        own = {name.removeprefix("state."): array for name, array in arrays.items() if name.startswith("state.")}
        model.state = states.restored(spec, own)
    model.draws = counter(about["draws"])
    model.books = Books(spec.loss)
    model.books.loss[0], model.books.weight = float(decode(about["loss"])), float(decode(about["weight"]))
    _fill_desk(model, counter(about["issued"]), arrays)
    return model


def _statistics(name: str, fresh: Statistics, arrays: dict[str, np.ndarray]) -> Statistics:
    own = {field: arrays[f"{name}.{field}"] for field in STATISTICS}
    check_shapes({field: getattr(fresh, field).shape for field in STATISTICS}, own, ("counted",))
    counter(int(own["counted"][0]))
    return fresh._replace(counted=own["counted"].copy(), table=own["table"].copy())


def _first_rows(count: int, spec: Specification, most: int, arrays: dict[str, np.ndarray]) -> FirstRows:
    own = {field: arrays[f"held.{field}"] for field in HELD}
    shapes = {"X": (most, spec.n_inputs), "Y": (most, spec.n_outputs), "weights": (most,), "numbers": (most,)}
    check_shapes(shapes, own)
    first = FirstRows(1, 1, 1)
    first.__dict__.update({field: array.copy() for field, array in own.items()})
    first.count = counter(count, most - 1)
    X, Y, weights, numbers = first.rows()
    if not (np.isfinite(X).all() and np.isfinite(Y).all() and ((numbers >= 0) & (numbers < 1)).all()):
        raise ValueError("the rows that are held are not finite")
    if not ((weights > 0) & (weights < np.inf)).all():
        raise ValueError("the weights of rows that are held are wrong")
    return first


def _fill_desk(model: Model, issued: int, arrays: dict[str, np.ndarray]) -> None:
    model.desk = Desk()
    model.desk.issued = issued
    if "tickets.number" not in arrays:
        return
    own = {field: arrays[f"tickets.{field}"] for field in ("number", *Slip._fields)}
    count, width = len(own["number"]), model.spec.n_inputs
    shapes = {"row": (count, width), "scaled": (count, width), "values": (count, model.spec.n_outputs)}
    check_shapes({field: shapes.get(field, (count,)) for field in own}, own, ("number", "arm"))
    for i, number in enumerate(own["number"].tolist()):
        slip = Slip(*(own[f][i].copy() if f in shapes else own[f][i].item() for f in Slip._fields))
        drawn = 0 <= slip.arm < len(model.spec.kernels) and 0 < slip.probability <= 1
        if not (0 <= number < issued and 0 <= slip.u < 1 and (drawn or slip.arm == UNDRAWN)):
            raise ValueError(f"ticket {number} is broken")
        model.desk.open[number] = slip
