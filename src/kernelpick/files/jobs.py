"""What is under way in a model's file: of a fit, what it began with, as what it has done is done again (online/job.py);
and columns that wait to be taken in (online/waiting.py)."""

from typing import Any

import numpy as np

from kernelpick.files import kept
from kernelpick.files.checks import LATEST, check_shapes, counter
from kernelpick.files.values import decode, encode
from kernelpick.online.growing import GrowingModel
from kernelpick.online.job import FIRST, WHY, Job
from kernelpick.online.kept_rows import KeptRows, Outputs
from kernelpick.online.late import Came
from kernelpick.online.pace import duration
from kernelpick.online.plan import Plan
from kernelpick.online.statistics import owned
from kernelpick.online.waiting import WAIT, Batch, Waiting

TABLES = ("inputs", "targets")


def pack(job: Job) -> dict[str, Any]:
    """As JSON."""
    count = None if job.kept is None else job.kept.count
    whole = {name: getattr(job, name) for name in ("why", "last", "base", "due", "leader", "columns")}
    came = {name: encode([list(one) for one in getattr(job, name)]) for name in ("late", "outputs")}
    return {**whole, "said": encode([job.loss, job.weight]), "count": count, **came}


def arrays(job: Job) -> dict[str, np.ndarray]:
    found = {f"job.{name}.table": getattr(job, name).table for name in TABLES}
    if job.kept is not None:
        found |= kept.arrays(job.kept, "job")
    return found


def planned_inputs(about: dict[str, Any], plan: Plan) -> int:
    """The inputs that a plan was made for, which decide how long fits take: columns may have come since then. Files of
    earlier versions do not tell."""
    most = plan.specification.n_inputs
    return counter(about.get("planned_inputs", most), most)


def unpack(model: Any, about: dict[str, Any] | None, arrays: dict[str, np.ndarray]) -> Job | None:
    """The job of a model that is there already; whatever does not fit is a ValueError, TypeError or KeyError."""
    if about is None:
        return None
    job = Job.__new__(Job)
    job.why, job.last = about["why"], bool(about["last"])
    said = decode(about["said"]) if "said" in about else (model.said.total, model.said.weight)  # from now on
    job.loss, job.weight = map(float, said)
    if job.why not in WHY or not model.plan.spread or (job.why == FIRST) != (model.first is not None):
        raise ValueError("the fit that is under way is none that the model can have")
    for name in TABLES:
        own, table = owned(getattr(model, name)), arrays[f"job.{name}.table"]
        lines, wide = own.table.shape
        if table.ndim == 2 and 0 < table.shape[1] < wide:
            wide = table.shape[1]  # columns or outputs have come since it began
        check_shapes({"table": (lines, wide)}, {"table": table})
        setattr(job, name, own._replace(table=table.copy()))
    wide = job.inputs.table.shape[1]
    job.columns = counter(about.get("columns", wide), wide)  # in files of earlier versions it knew all
    job.base, job.leader = counter(about["base"]), about["leader"]
    longest = duration(model.preparation, job.base, job.last, compares=True)  # in earlier versions all fits did
    job.due, job.kept = counter(about["due"], job.base + longest), None
    if job.why != FIRST:
        room, count = KeptRows(model.spec, job.base + longest), counter(about["count"], job.due)
        job.kept = kept.put_back(room, "job", arrays, count)
    count = job.rows(model).count
    if not (job.base <= count < job.due <= len(job.rows(model).X) and -1 <= job.leader < len(model.spec.kernels)):
        raise ValueError("the fit that is under way is broken")
    if isinstance(job.leader, bool) or not isinstance(job.leader, int):
        raise ValueError("the fit that is under way has no leader")
    told = decode(about["late"]) if "late" in about else []
    batches = _batches([batch for *batch, _ in told], count)
    job.late = [Came(*batch, counter(n_inputs)) for batch, (*_, n_inputs) in zip(batches, told, strict=True)]
    since, widths = [job.base, *(came.since for came in job.late)], [wide, *(came.n_inputs for came in job.late)]
    if sorted(since) != since or sorted(widths) != widths or widths[-1] != model.spec.n_inputs:
        raise ValueError("columns have come to the fit that is under way that can't have")
    if job.late and not isinstance(model, GrowingModel):
        raise ValueError("columns have come to the fit that is under way, and the model has no names for them")
    job.outputs = _outputs(decode(about.get("outputs", [])), job, count)
    if (job.outputs[-1].n_now if job.outputs else job.targets.table.shape[1]) != model.spec.n_outputs:
        raise ValueError("the fit that is under way has other outputs than the model")
    job.start_over()
    return job


def _outputs(told: Any, job: Job, latest: int) -> list[Outputs]:
    """Those that have come, each with all outputs that there were before."""
    found, since, n_before = [], job.base, job.targets.table.shape[1]
    for sources, signs, row in told:
        one = Outputs(
            [counter(source + 1, n_before) - 1 for source in sources], [*map(float, signs)], counter(row, latest)
        )
        whole = set(one.sources) - {-1} == set(range(n_before)) and len(one.signs) == len(one.sources)
        if not (whole and set(one.signs) <= {-1.0, 1.0} and since <= one.since):
            raise ValueError("outputs have come to the fit that is under way that can't have")
        found.append(one)
        since, n_before = one.since, one.n_now
    return found


def _batches(told: Any, latest: int = LATEST) -> list[Batch]:
    batches = [(list(names), made, clock, counter(since, latest)) for names, made, clock, since in told]
    if not all(names and isinstance(made, bool) and isinstance(clock, bool) for names, made, clock, _ in batches):
        raise ValueError("it is not told what the columns are that have come")
    return batches


def pack_waiting(waiting: Waiting) -> dict[str, Any]:
    return {"batches": encode([list(batch) for batch in waiting.batches]), "due": waiting.due}


def unpack_waiting(model: Any, about: dict[str, Any] | None) -> None:
    """Where columns are said to wait, a model that may have such ones."""
    if about is None:
        return
    batches = _batches(decode(about["batches"]))
    steady = model.plan.spread and model.state is not None and model.first is None
    if not (batches and steady and isinstance(model, GrowingModel)) or model.spec.orthogonal:
        raise ValueError("columns wait that the model can't have")
    model.waiting = Waiting(model.draws)
    model.waiting.batches, model.waiting.due = batches, counter(about["due"], model.draws + WAIT)
