"""What can be told of a model, in sections of a few columns each; shown as text or as a page."""

import math
from pathlib import Path
from typing import Any, NamedTuple

from kernelpick.budget.planned import size_of
from kernelpick.core.problem import DOUBLE
from kernelpick.online.history import CHALLENGE, FIT, LEAD
from kernelpick.streaming.checkpoint import Position, position_of
from kernelpick.streaming.score import Numbers, mean, score_for
from kernelpick.streaming.table import number, share
from kernelpick.streaming.task import Task
from kernelpick.views.figure import short

REASONS = {FIT: "kernels chosen anew", CHALLENGE: "leader challenged", LEAD: "another leads", "round": ""}
MOST_COLUMNS, MOST_INPUTS, MOST_ENTRIES = 40, 6, 24


Facts = list[tuple[str, ...]]


class Section(NamedTuple):
    title: str
    rows: Facts  # none of them empty, all of one length


def sections(estimator: Any, path: Path, key: Any = None) -> list[Section]:
    """In the order in which one wants to know it; of the model of a key, where the file has many."""
    rows = _model(estimator, path)
    told = [Section("model", rows if key is None else [rows[0], ("key", str(key)), *rows[1:]])]
    position = position_of(estimator)
    if position is not None:
        told.append(Section("how it got there", run_of(position)))
    if estimator._model is None:
        return told
    told.append(Section("columns, how much each moves the prediction, and what it became", _columns(estimator)))
    if estimator._model.state is not None:
        told.append(Section("kernels", _kernels(estimator)))
        told.append(Section("history of the leaders", _history(estimator)))
    return [section for section in told if section.rows]


def _model(estimator: Any, path: Path) -> Facts:
    rows: Facts = [("file", f"{path} ({path.stat().st_size:,} bytes)"), ("class", type(estimator).__name__)]
    rows += asked_for(estimator)
    if estimator._model is None:
        return [*rows, ("rows learned", "none yet")]
    rows += [("rows learned", f"{estimator.n_rounds_:,}"), ("learner", estimator.learner_ or "none yet: rows are kept")]
    if hasattr(estimator, "classes_"):
        rows.append(("classes", few([str(one) for one in estimator.classes_], 12)))
    else:
        rows.append(("target scale", str(estimator.target_scale_)))
    if not math.isnan(estimator.loss_):
        rows.append(("mean loss", f"{estimator.loss_:.4g} ({estimator._fitted.spec.loss_row.name})"))
    if not math.isnan(estimator.coverage_):
        width = f", mean width {number(estimator.interval_width_)}" if hasattr(estimator, "interval_width_") else ""
        rows.append(("0.9 coverage", f"{estimator.coverage_:.1%}{width}"))
    rows += [("out of range", f"{estimator.out_of_range_:,} rows"), ("memory", f"{estimator.memory_bytes_:,} bytes")]
    own = {name: value for name, value in estimator.metadata.items() if name != "run"}
    return [*rows, ("metadata", str(own))] if own else rows


def asked_for(estimator: Any) -> Facts:
    params = estimator.get_params(deep=False) if hasattr(estimator, "get_params") else {}
    names = ["algorithm", "loss"] + ["size"] * (params.get("size", "full") != "full")
    names += ["precision"] * (params.get("precision", DOUBLE) != DOUBLE)
    rows: Facts = [(name, str(params[name])) for name in names if name in params]
    if params.get("time_budget") is not None:
        bought = "" if getattr(estimator, "_model", None) is None else f": {size_of(estimator)}"
        rows += [("time_budget", f"{params['time_budget']}{bought}")]
    return rows


def run_of(position: Position) -> Facts:
    asked = position.settings
    score = score_for(Task(position.task, position.kind), position.score)
    shown = number if isinstance(score, Numbers) else share
    files = position.source.get("files") or []
    names = [str(one.get("name", one)) if isinstance(one, dict) else str(one) for one in files]
    rows: Facts = [
        ("target", f"{asked.get('target')}, {position.task}"),
        ("source", few(names, 3) or "standard input"),
        ("rows read", f"{position.records:,}{', to the end' if position.finished else ', and there are more'}"),
        ("without label", f"{position.unlabelled:,}"),
        ("refused", f"{position.rejected:,}"),
        (score.measure, shown(mean(score.wrong, score.rows))),
        ("simplest guess", shown(mean(score.guess, score.rows))),
    ]
    return [(name, value) for name, value in rows if value != "0"]


def _columns(estimator: Any) -> Facts:
    """By importance, where that is known."""
    moved = getattr(estimator, "importances_", None)
    pairs = {} if moved is None else moved if isinstance(moved, dict) else dict(enumerate(moved.tolist()))
    became = estimator.inputs_
    order = sorted(became, key=lambda name: -pairs.get(name, 0.0))
    rows: Facts = [
        (str(name), f"{pairs[name]:.1%}" if name in pairs else "", _inputs(name, became[name]))
        for name in order[:MOST_COLUMNS]
    ]
    left = len(order) - MOST_COLUMNS
    return [*rows, (f"and {left:,} more", "", "")] if left > 0 else rows


def _inputs(name: Any, became: list[str]) -> str:
    return "a number" if became == [str(name)] else few(became, MOST_INPUTS)


def _kernels(estimator: Any) -> Facts:
    now = estimator._model.now()
    order = sorted(range(len(now.kernels)), key=lambda place: (place != now.leader, _last(now.losses[place])))
    return [
        (short(now.kernels[place]), "nothing known" if math.isnan(loss) else f"loss {loss:.4g} a round",
         "in the lead" if place == now.leader else "")
        for place in order
        for loss in [now.losses[place]]
    ]  # fmt: skip


def _last(loss: float) -> float:
    return math.inf if math.isnan(loss) else loss


def _history(estimator: Any) -> Facts:
    entries = estimator.history_
    shown = entries if len(entries) <= MOST_ENTRIES else [*entries[:4], *entries[4 - MOST_ENTRIES :]]
    rows: Facts = [
        (f"row {one.round:,}", short(one.kernel), f"mean loss {one.error:.4g}", REASONS.get(one.why, one.why))
        for one in shown
    ]
    if len(entries) > MOST_ENTRIES:
        rows.insert(4, ("...", f"{len(entries) - MOST_ENTRIES} entries between", "", ""))
    return rows


def few(names: list[str], most: int) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most:,} more" if len(names) > most else "")
