"""What is said before the first row and after the last one."""

import math
from typing import Any, Protocol

from kernelpick.budget.overruns import Overruns
from kernelpick.budget.parse import seconds, words
from kernelpick.streaming.checkpoint import Position
from kernelpick.streaming.score import Numbers, mean
from kernelpick.streaming.table import ProgressTable, as_json, known, number, say, share


class AnyRun(Protocol):
    """What is told of a run."""

    options: Any
    position: Position
    table: ProgressTable
    learner: Any


def announce(run: AnyRun) -> None:
    """What the numbers of the table are."""
    options, score = run.options, run.table.score
    if options.quiet:
        return
    told: dict[str, Any] = {"target": run.position.target, "task": run.position.task, "measure": score.measure}
    if options.json:
        say(as_json({"event": "start", **told, "columns": run.position.columns, "records": run.position.records}))
        return
    unit = f", in units of {run.position.target}" if isinstance(score, Numbers) else ""
    say(f"error: {score.measure}{unit}, of what is said to a row before its {run.position.target} is used\n")


def summary(run: AnyRun) -> None:
    """How it went; with --quiet nothing."""
    options, position, score = run.options, run.position, run.table.score
    if options.quiet:
        return
    learned = n_learned(run)
    error, guess = mean(score.wrong, score.rows), mean(score.guess, score.rows)
    if options.json:
        counts = {"records": position.records, "labelled": score.rows, "unlabelled": position.unlabelled,
                  "rejected": position.rejected, "learned": learned}  # fmt: skip
        errors = {"error": error, "simplest_guess": guess, **score.errors()}
        ends = {"finished": position.finished, "model": options.model, "predictions": options.predictions}
        glance = run.learner.glance()
        told = {"leader": glance.leader, "keys": glance.keys}
        if options.time_budget is not None:
            ends |= _kept_as_json(run.learner)
        say(as_json({"event": "end", **counts, **errors, **known(told, "keys"), **ends}))
        return
    say("")
    say(_counts(run, learned))
    if score.rows:
        shown, simplest = (
            (number, "mean so far") if isinstance(score, Numbers) else (share, "most frequent class so far")
        )
        further = "".join(
            f", {name.upper()} {number(value)}" for name, value in score.errors().items() if name == "rmse"
        )
        say(f"{score.measure} {shown(error)}{further}; the {simplest} would have had {shown(guess)}")
    if options.time_budget is not None:
        say(_kept(run))
    written = [f"{what} {path}" for what, path in _files(options) if path]
    if written:
        say(f"written: {', '.join(written)}")
    if options.model and position.finished:
        say(f"next: kernelpick inspect {options.model}   or   kernelpick predict {options.model} SOURCE")


def _kept(run: AnyRun) -> str:
    """How the time budget was kept."""
    done, size = run.learner.overruns, run.learner.size
    if not done.rounds:
        return "no round was timed"
    times = ", ".join(f"{name} {words(time)}" for name, time in zip(("p50", "p99", "worst"), _times(done), strict=True))
    told = f"{done.over:,} of {done.rounds:,} rounds over {words(seconds(run.options.time_budget))}: {times}"
    return f"{size or 'a model per key'}; {told} of processor time, by blocks"


def _kept_as_json(learner: Any) -> dict[str, Any]:
    done = learner.overruns._asdict()
    times = {name: value if math.isfinite(value) else None for name, value in done.items()}
    return known({"size": learner.size, "overruns": times}, "size")


def _times(done: Overruns) -> tuple[float, ...]:
    return done.p50, done.p99, done.worst


def n_learned(run: AnyRun) -> int:
    """Rows that the model has learned in this run, however often it was interrupted."""
    learned = run.learner.n_learned
    return learned - run.position.before if learned else 0


def _counts(run: AnyRun, learned: int) -> str:
    position, score = run.position, run.table.score
    parts = {
        "": learned,
        "passed over, since their loss was not finite": score.rows - learned,
        f"without {run.position.target}, predicted and not learned": position.unlabelled,
        "refused": position.rejected,
    }
    told = [f"{count:,} {what or 'learned'}" for what, count in parts.items() if count or not what]
    return f"{position.records:,} rows: {', '.join(told)}"


def _files(options: Any) -> list[tuple[str, str | None]]:
    return [("model", options.model), ("predictions", options.predictions), ("rejects", options.rejects)]
