"""A model as plain JSON and named arrays, and back, with all that does not fit together refused."""

from dataclasses import fields
from typing import Any, TypeVar

import numpy as np

from kernelpick import core
from kernelpick.core import Specification, state
from kernelpick.core.record import ARM, PLAYER_COLUMNS, n_player_columns
from kernelpick.core.stream import tuned
from kernelpick.files.checks import check_shapes, counter
from kernelpick.files.older import in_todays_layout, tickets
from kernelpick.files.values import decode, encode
from kernelpick.online.first_rows import FirstRows
from kernelpick.online.mean_loss import MeanLoss
from kernelpick.online.model import Model
from kernelpick.online.plan import Plan
from kernelpick.online.preparation import preparation
from kernelpick.online.scaling import Statistics
from kernelpick.online.tickets import UNDRAWN, Desk, Slip, checked_id

M = TypeVar("M", bound=Model)
STATISTICS = ("counted", "table")
HELD = ("X", "Y", "weights", "numbers")
SLIP = tuple(field for field in Slip._fields if field != "prediction")
CHOICES = ("auto_kernels", "scale", "scale_target", "auto_features")


def arrays_of(model: Model) -> dict[str, np.ndarray]:
    """All arrays by name."""
    found: dict[str, np.ndarray] = {}
    if model.state is not None:
        found |= {f"state.{name}": array for name, array in state.arrays(model.state).items()}
    for name in ("inputs", "targets"):
        found |= {f"{name}.{field}": getattr(getattr(model, name), field) for field in STATISTICS}
    if model.first is not None:
        found |= {f"held.{field}": getattr(model.first, field) for field in HELD}
    slips = model.desk.open
    if slips:
        found |= {f"tickets.{field}": np.array([getattr(slip, field) for slip in slips.values()]) for field in SLIP}
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
        "loss": encode(model.said.loss[0]),
        "weight": encode(model.said.weight),
        "issued": model.desk.issued,
        "tickets": [[ticket.id, encode(ticket.prediction)] for ticket in model.desk.tickets()],
    }
    return about, arrays_of(model)


def unpack(cls: type[M], about: dict[str, Any], arrays: dict[str, np.ndarray]) -> M:
    """The model. Whatever does not fit together is a ValueError, TypeError or KeyError."""
    spec = Specification(**decode(about["specification"]))
    plan, arrays = Plan(spec, **about["plan"]), in_todays_layout(spec, arrays)
    model = cls.__new__(cls)
    model.plan, model.spec, model.preparation = plan, spec, preparation(plan)
    inputs, targets = model.preparation.scales()
    model.inputs, model.targets = _statistics("inputs", inputs, arrays), _statistics("targets", targets, arrays)
    fits = model.preparation.fits
    model.first = None if about["held"] is None else _first_rows(about["held"], spec, fits[-1], arrays)
    model.state = None
    if model.first is None or model.first.count >= fits[0]:
        own = {name.removeprefix("state."): array for name, array in arrays.items() if name.startswith("state.")}
        model.state = _state(spec, own)
    model.draws = counter(about["draws"])
    model.said = MeanLoss(spec.loss_row.unit)
    model.said.loss[0], model.said.weight = float(decode(about["loss"])), float(decode(about["weight"]))
    _fill_desk(model, about, arrays)
    return model


def _state(spec: Specification, own: dict[str, np.ndarray]) -> core.State:
    """The state whose arrays these are, by name, with every index checked that compiled code will follow."""
    # First the sizes that the file claims and does have, so that nothing larger than the file is made.
    state.check_lengths(spec.row, spec.problem(1), own)
    fresh = core.start(spec)
    state.check_shapes(fresh, own)
    return tuned(spec, state.restore(fresh, own), always=True)[0]


def _are_players(players: np.ndarray, spec: Specification) -> bool:
    """Whether compiled code may follow what a ticket says of the arms that were drawn."""
    rows = players.reshape(-1, PLAYER_COLUMNS)
    arm, seat, chance, divisor, share, roles = rows[rows[:, ARM] != UNDRAWN].T
    arms = ((arm >= 0) & (arm < len(spec.kernels)) & (arm == np.floor(arm)) & (seat == arm)).all()
    return bool(
        arms and ((chance > 0) & (chance <= 1) & (divisor > 0) & (share >= 0) & (roles >= 0) & (roles <= 3)).all()
    )


def _statistics(name: str, fresh: Statistics, arrays: dict[str, np.ndarray]) -> Statistics:
    own = {field: arrays[f"{name}.{field}"] for field in STATISTICS}
    check_shapes({field: getattr(fresh, field).shape for field in STATISTICS}, own, ("counted",))
    counter(int(own["counted"][0]))
    return fresh._replace(counted=own["counted"].copy(), table=own["table"].copy())


def _first_rows(count: int, spec: Specification, most: int, arrays: dict[str, np.ndarray]) -> FirstRows:
    own = {field: arrays[f"held.{field}"] for field in HELD}
    first = FirstRows(spec, most)
    check_shapes({field: getattr(first, field).shape for field in HELD}, own)
    first.__dict__.update({field: array.copy() for field, array in own.items()})
    first.count = counter(count, most - 1)
    X, Y, weights, numbers = first.rows()
    if not (np.isfinite(X).all() and np.isfinite(Y).all() and ((numbers >= 0) & (numbers < 1)).all()):
        raise ValueError("the rows that are held are not finite")
    if not ((weights > 0) & (weights < np.inf)).all():
        raise ValueError("the weights of rows that are held are wrong")
    return first


def _fill_desk(model: Model, about: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
    model.desk = Desk()
    model.desk.issued = counter(about["issued"])
    open_ones = tickets(about, arrays)
    if not open_ones:
        return
    own = {field: arrays[f"tickets.{field}"] for field in SLIP}
    count, width = len(open_ones), model.spec.n_inputs
    widths = {"row": width, "scaled": width, "values": model.spec.n_outputs}
    widths |= {"numbers": model.spec.row.selector.numbers, "players": n_player_columns(model.spec)}
    shapes = {field: (count, columns) for field, columns in widths.items()}
    check_shapes({field: shapes.get(field, (count,)) for field in own}, own, ("arm",))
    for i, (id, prediction) in enumerate(open_ones):
        slip = Slip(*(own[f][i].copy() if f in shapes else own[f][i].item() for f in SLIP))
        slip = slip._replace(prediction=prediction)
        sound = ((slip.numbers >= 0) & (slip.numbers < 1)).all() and -1 <= slip.arm < len(model.spec.kernels)
        if not (sound and (slip.arm == UNDRAWN or _are_players(slip.players, model.spec))):
            raise ValueError(f"ticket {id!r} is broken")
        model.desk.check_free(checked_id(id))
        model.desk.open[id] = slip
