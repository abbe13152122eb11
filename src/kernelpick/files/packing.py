"""A model as plain JSON and named arrays, and back, with all that does not fit together refused."""

from dataclasses import fields, replace
from typing import Any, TypeVar

import numpy as np

from kernelpick.core import Specification, state
from kernelpick.core.record import ARM, PLAYER_COLUMNS, n_player_columns
from kernelpick.files import compact, companions, history, jobs, kept, states
from kernelpick.files.checks import check_shapes, counter
from kernelpick.files.older import as_it_was, in_todays_layout, tickets
from kernelpick.files.values import decode, encode
from kernelpick.online import balance, calibration
from kernelpick.online.guard import Guard
from kernelpick.online.intervals import Intervals
from kernelpick.online.kept_rows import FirstRows, KeptRows
from kernelpick.online.mean_loss import MeanLoss
from kernelpick.online.model import Model
from kernelpick.online.plan import Plan
from kernelpick.online.preparation import preparation
from kernelpick.online.scaling import NOTHING
from kernelpick.online.statistics import Statistics
from kernelpick.online.target_scale import WAYS, has_logs
from kernelpick.online.tickets import UNDRAWN, Desk, Slip, checked_id
from kernelpick.online.watch import WINDOW, Watch, n_recent

M = TypeVar("M", bound=Model)
SLIP = tuple(field for field in Slip._fields if field != "prediction")
CHOICES = (
    "auto_kernels", "scale", "scale_target", "target_way", "auto_features", "balanced", "memories", "companions",
    "spread", "features", "columns",
)  # fmt: skip
MOST_FEATURES = 2**20  # that a file may ask for
CALIBRATION = ("table", "sets")
INTERVALS = ("bounds", "tally", "slopes", "head")
UNITS = ("values", "center", "spread", "smear", "floor")
WATCHED = ("strays", "rows", "loss", "weight", "calm", "alarmed", "warned")


def arrays_of(model: Model) -> dict[str, np.ndarray]:
    """All arrays by name."""
    found: dict[str, np.ndarray] = {}
    if model.state is not None:
        found |= {f"state.{name}": array for name, array in state.arrays(model.state).items()}
    if model.memories is not None:
        beside = states.arrays_of_memories(model.memories)
        found |= {f"memories.{name}": array for name, array in beside.items()}
    for name in ("inputs", "targets"):
        found[f"{name}.table"] = getattr(model, name).table
    if model.calibration is not None:
        found |= {f"calibration.{field}": getattr(model.calibration, field) for field in CALIBRATION}
    if model.intervals is not None:
        found |= {f"intervals.{field}": getattr(model.intervals, field) for field in INTERVALS}
    if model.balance is not None:
        found["balance.counts"] = model.balance.counts
    for name, rows in (("held", model.first), ("recent", model.watch.recent if model.watch else None)):
        found |= {} if rows is None else kept.arrays(rows, name)
    if model.job is not None:
        found |= jobs.arrays(model.job)
    slips = model.desk.open
    if slips:
        found |= {f"tickets.{field}": np.array([getattr(slip, field) for slip in slips.values()]) for field in SLIP}
    return found


def n_bytes(model: Model) -> int:
    beside = companions.arrays(model.companions, given=True) if model.companions else {}
    return sum(array.nbytes for array in (*arrays_of(model).values(), *beside.values()))


def pack(model: Model) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    spec = {field.name: getattr(model.spec, field.name) for field in fields(Specification)}
    about = {
        "specification": encode(spec),
        "plan": {name: encode(getattr(model.plan, name)) for name in CHOICES},
        "planned_inputs": model.plan.specification.n_inputs,
        "held": model.first.count if model.first else None,
        "draws": model.draws,
        "given_up": model.given_up,
        "loss": encode(model.said.sums[:2].tolist()),
        "weight": encode(model.said.weight),
        "issued": model.desk.issued,
        "history": history.pack(model.history),
        "tickets": [[ticket.id, encode(ticket.prediction)] for ticket in model.desk.tickets()],
    }
    if model.job is not None:
        about["job"] = jobs.pack(model.job)
    if model.waiting is not None:
        about["waiting"] = jobs.pack_waiting(model.waiting)
    if model.memories is not None:
        about["memories"] = states.packed_memories(model.memories)
    if model.watch is not None:
        watched = {name: encode(getattr(model.watch, name)) for name in WATCHED}
        about["watch"] = {**watched, "count": model.watch.recent.count if model.watch.recent else None}
    arrays = compact.packed(arrays_of(model)) if model.spec.row.size.compact else arrays_of(model)
    return about, arrays | companions.pack(model.companions, model.spec)


def unpack(cls: type[M], about: dict[str, Any], arrays: dict[str, np.ndarray]) -> M:
    """The model. Whatever does not fit together is a ValueError, TypeError or KeyError."""
    spec = as_it_was(Specification(**decode(about["specification"])), arrays)
    problem = spec.problem(1)
    arrays = compact.unpacked(problem, arrays) if spec.row.size.compact else arrays
    plan = Plan(spec, **{name: decode(value) for name, value in about["plan"].items()})
    if plan.target_way not in (None, *WAYS):
        raise ValueError(f"targets can't be scaled by {plan.target_way!r}")
    counter(plan.features, MOST_FEATURES)
    counter(plan.columns, spec.n_inputs)
    if plan.scale_target and spec.loss_row.classifies:
        raise ValueError("labels can't be scaled")
    model = cls.__new__(cls)
    inputs, targets = preparation(plan).scales()  # of all inputs; how long a fit takes follows from the first ones
    plan = replace(plan, specification=replace(spec, n_inputs=jobs.planned_inputs(about, plan)))
    model.plan, model.spec, model.preparation = plan, spec, preparation(plan)
    arrays = in_todays_layout(spec, arrays, (inputs, targets))
    model.inputs, model.targets = _statistics("inputs", inputs, arrays), _statistics("targets", targets, arrays)
    fits = model.preparation.fits
    model.first = None if about["held"] is None else _first_rows(about["held"], spec, model.preparation.most, arrays)
    model.state = None
    if model.first is None or model.first.count >= model.preparation.first_state:
        model.state = states.restored(spec, problem, states.named("state.", arrays))
    model.memories = states.memories(spec, about.get("memories"), states.named("memories.", arrays))
    if model.memories is not None and model.state is None:
        raise ValueError("there are memories and no kernels")
    model.has_logs = has_logs(model.targets)
    model.draws, model.given_up = counter(about["draws"]), counter(about.get("given_up", 0))
    model.said = MeanLoss(spec.loss_row.unit, plan.has_several_targets)
    sums = decode(about["loss"])  # files of versions 1 and 2 have the first sum only
    model.said.sums[:] = [*(sums if isinstance(sums, list) else [sums, 0.0]), float(decode(about["weight"]))]
    watches = fits and inputs.kind != NOTHING
    model.watch = _watch(spec, model.first is None, about.get("watch"), arrays) if watches else None
    if "calibration.table" in arrays:  # files of earlier versions have none, and go on without
        if spec.loss_row.name != "logistic":
            raise ValueError("only scores of the logistic loss are calibrated")
        model.calibration = calibration.restored(
            arrays["calibration.table"], arrays["calibration.sets"], spec.n_outputs
        )
    if not spec.loss_row.classifies:  # for files of earlier versions they begin now
        model.intervals = _intervals(spec, arrays)
    if plan.balanced:
        if not spec.loss_row.classifies:
            raise ValueError("targets can't be balanced")
        model.balance = balance.restored(arrays["balance.counts"], spec.n_outputs)
    model.companions = companions.unpack(spec, plan.companions, arrays)
    model.guard, model.notices = Guard(), []
    model.history = history.unpack(about.get("history"), spec.row.size.entries)
    _fill_desk(model, about, arrays)
    model.job = jobs.unpack(model, about.get("job"), arrays)
    if model.job is not None:
        model.scouts_rest(begins=False)
    jobs.unpack_waiting(model, about.get("waiting"))
    return model


def _are_players(players: np.ndarray, spec: Specification) -> bool:
    """Whether compiled code may follow what a ticket says of the arms that were drawn."""
    rows = players.reshape(-1, PLAYER_COLUMNS)
    arm, seat, chance, divisor, share, roles = rows[rows[:, ARM] != UNDRAWN].T
    arms = ((arm >= 0) & (arm < len(spec.kernels)) & (arm == np.floor(arm)) & (seat == arm)).all()
    return bool(
        arms and ((chance > 0) & (chance <= 1) & (divisor > 0) & (share >= 0) & (roles >= 0) & (roles <= 3)).all()
    )


def _statistics(name: str, fresh: Statistics, arrays: dict[str, np.ndarray]) -> Statistics:
    own = arrays[f"{name}.table"]
    check_shapes({"table": fresh.table.shape}, {"table": own})
    return fresh._replace(table=own.copy())


def _intervals(spec: Specification, arrays: dict[str, np.ndarray]) -> Intervals:
    intervals = Intervals(spec.n_outputs, spec.n_inputs)
    if "intervals.head" in arrays:
        own = {field: arrays[f"intervals.{field}"] for field in INTERVALS}
        check_shapes({field: getattr(intervals, field).shape for field in INTERVALS}, own)
        if not all(np.isfinite(array).all() for array in own.values()):
            raise ValueError("the intervals are not finite")
        vars(intervals).update({field: array.copy() for field, array in own.items()})
    return intervals


def _first_rows(count: int, spec: Specification, most: int, arrays: dict[str, np.ndarray]) -> FirstRows:
    most = max(most, len(arrays["held.X"]))  # another version may have kept more
    return kept.put_back(FirstRows(spec, most), "held", arrays, counter(count, most - 1))


def _watch(spec: Specification, begun: bool, about: dict[str, Any] | None, arrays: dict[str, np.ndarray]) -> Watch:
    """The watch of a file; those of versions 1 and 2 have none, and it begins with the next row."""
    watch = Watch()
    if about is None:
        watch.recent = KeptRows(spec, n_recent(spec)) if begun else None
        return watch
    if begun:  # how many rows are kept was decided when columns may have been fewer
        room = KeptRows(spec, counter(len(arrays["recent.X"]), WINDOW))
        watch.recent = kept.put_back(room, "recent", arrays, counter(about["count"]))
    watch.strays, watch.rows = counter(about["strays"]), counter(about["rows"], WINDOW - 1)
    for name in ("loss", "weight", "calm"):
        setattr(watch, name, float(decode(about[name])))
    watch.alarmed, watch.warned = bool(about["alarmed"]), bool(about["warned"])
    return watch


def _fill_desk(model: Model, about: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
    model.desk = Desk()
    model.desk.issued = counter(about["issued"])
    open_ones = tickets(about, arrays)
    if not open_ones:
        return
    own = {field: arrays[f"tickets.{field}"] for field in SLIP}
    count, width = len(open_ones), model.spec.n_inputs
    widths = {"row": width, "scaled": width} | dict.fromkeys(UNITS, model.spec.n_outputs)
    widths |= {"numbers": model.spec.row.numbers, "players": n_player_columns(model.spec)}
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
