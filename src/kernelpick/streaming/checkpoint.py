"""A checkpoint: the model, where the source was, and how long the files beside it were, in one file.

It is a model file like any other, which `kernelpick.load` reads; what a run has to know is in its metadata. Nothing in
it depends on the clock, on the number of checkpoints, or on kills.
"""

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from kernelpick.estimator import load
from kernelpick.files import saving
from kernelpick.files.container import ModelFileError
from kernelpick.files.lock import Lock
from kernelpick.sources.options import TASKS
from kernelpick.streaming.score import score_for
from kernelpick.streaming.task import KINDS_OF_TARGETS, Task

RUN = "run"
FORMAT = 1


@dataclass
class Position:
    """Where a run is."""

    settings: dict[str, Any]  # what the command line said, as far as results depend on it
    source: dict[str, Any]  # the fingerprint
    task: str = ""
    kind: str = ""  # of targets
    columns: list[str] = field(default_factory=list)  # that are learned from
    records: int = 0  # of the source that are done with, good and bad
    unlabelled: int = 0  # of these, predicted and not learned
    rejected: int = 0
    before: int = 0  # rows that the model had learned when the run began, by --from
    score: dict[str, Any] | None = None
    predictions: int | None = None  # bytes
    rejects: int | None = None
    finished: bool = False

    @property
    def target(self) -> str:
        return str(self.settings["target"])

    @property
    def key(self) -> str | None:
        """The column whose values have a model each; None where one model is for all rows."""
        return self.settings.get("key")


def write(estimator: Any, position: Position, path: Path) -> None:
    """Replace the file, and keep the one before as FILE.previous."""
    estimator.metadata = {**estimator.metadata, RUN: packed(position)}
    saving.save(estimator, path, keep=previous_of(path))


def packed(position: Position) -> dict[str, Any]:
    """As JSON has it."""
    return {"format": FORMAT, **asdict(position)}


def lock_of(path: Path) -> Lock:
    """The right to write to it: two runs of one model would undo each other's work."""
    told = f"Another run is writing to {path}: wait until it has ended, or name another --model."
    return Lock(path.with_name(f".{path.name}.lock"), told)


def previous_of(path: Path) -> Path:
    return path.with_name(path.name + ".previous")


def position_of(estimator: Any) -> Position | None:
    """Of the run that made a model; None if none has."""
    return unpacked(estimator.metadata.get(RUN))


def unpacked(about: Any) -> Position | None:
    """What was packed; None if it is anything else."""
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        return None
    told = {name: value for name, value in about.items() if name != "format"}
    return Position(**told) if _is_sound(told) else None


KINDS: dict[str, tuple[type, ...]] = {
    "settings": (dict,), "source": (dict,), "task": (str,), "kind": (str,), "columns": (list,), "records": (int,),
    "unlabelled": (int,), "rejected": (int,), "before": (int,), "score": (dict, type(None)),
    "predictions": (int, type(None)), "rejects": (int, type(None)), "finished": (bool,),
}  # fmt: skip


def _is_sound(told: dict[str, Any]) -> bool:
    """Whether metadata, which anybody may write, tell where a run is."""
    if told.keys() != KINDS.keys() or not all(isinstance(told[name], kinds) for name, kinds in KINDS.items()):
        return False
    task, score = Task(told["task"], told["kind"]), told["score"]
    counts = [told[name] or 0 for name in ("records", "unlabelled", "rejected", "before", "predictions", "rejects")]
    try:
        score_for(task, score)
    except (KeyError, TypeError, ValueError):
        return False
    named = all(isinstance(name, str) for name in told["columns"]) and isinstance(told["settings"].get("target"), str)
    named = named and isinstance(told["settings"].get("key"), str | None)
    return named and task.name in TASKS and task.kind in KINDS_OF_TARGETS and min(counts) >= 0


def read(path: Path, say: Any) -> tuple[Any, Position] | None:
    """The checkpoint in a file, or, where that was damaged, the one before; None where there is no file."""
    if not path.exists():
        return None
    try:
        estimator = load(path)
    except ModelFileError as error:
        if not previous_of(path).exists():
            raise
        say(f"{error} Going on from {previous_of(path)}.")
        estimator = load(previous_of(path))
    position = position_of(estimator)
    if position is None:
        raise ValueError(f"{path} is no model of a run that could go on; --from {path} learns further from it.")
    return estimator, position


def compare(position: Position, settings: Mapping[str, Any], source: Mapping[str, Any], path: Path) -> None:
    """Refuse to go on with other options, or with a source that has changed."""
    for name, now in settings.items():
        then = position.settings.get(name)
        if then != now:
            raise ValueError(
                f"{path} was begun with {_option(name, then)}, now it is {_option(name, now)}; "
                "give the same options to go on, or --overwrite to begin anew."
            )
    if position.source != source:
        raise ValueError(
            f"The source has changed since {path} was begun: {_difference(position.source, dict(source))}; bring it "
            f"back to go on, or begin anew with --overwrite. --from {path} learns another source on top of the model."
        )


def _option(name: str, value: Any) -> str:
    name = name.replace("_", "-")
    if value is None or value == [] or value is False:  # as of a file that does not know the option
        return f"no --{name}"
    return f"--{name} {','.join(value) if isinstance(value, list) else value}"


def _difference(then: Any, now: Any, where: str = "") -> str:
    """The first thing that is not as it was."""
    if isinstance(then, dict) and isinstance(now, dict):
        for key in (*then, *now):
            if then.get(key) != now.get(key):
                return _difference(then.get(key), now.get(key), key)
    if isinstance(then, list) and isinstance(now, list):
        if len(then) != len(now):
            return f"{where}: {len(then)} before, {len(now)} now"
        for one, other in zip(then, now, strict=True):
            if one != other:
                return _difference(one, other, where)
    return f"{where} was {then!r} and is {now!r}"


def check_writable(path: Path) -> None:
    """Refuse early what would be refused at the first checkpoint."""
    folder = path.absolute().parent
    if path.is_dir():
        raise ValueError(f"{path} is a folder; name a file.")
    if not folder.is_dir():
        raise ValueError(f"There is no folder {folder} for {path.name}; make it first.")
    if not os.access(folder, os.W_OK) or (path.exists() and not os.access(path, os.W_OK)):
        raise PermissionError(13, "Permission denied", str(path))
