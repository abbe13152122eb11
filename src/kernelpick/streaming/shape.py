"""Whether a model is one for the rows of a source: made for such columns, and for such a target."""

from collections.abc import Sequence
from typing import Any

from kernelpick.keyed import KeyedModels
from kernelpick.sklearn import KernelClassifier, KernelRegressor
from kernelpick.sources.options import CLASSIFICATION, REGRESSION
from kernelpick.streaming import files_by_key
from kernelpick.streaming.checkpoint import Position
from kernelpick.streaming.task import TEXTS, WHOLE


def task_of(estimator: Any, path: str) -> str:
    """What a model has learned; refused is one for another library, which has no tables, and one without rows."""
    if not isinstance(estimator, KernelClassifier | KernelRegressor):
        raise ValueError(
            f"{path} holds a model for River, which learns from dicts: load it in Python, by kernelpick.load."
        )
    if estimator._model is None:
        raise ValueError(f"The model in {path} has not learned any row yet.")
    return CLASSIFICATION if isinstance(estimator, KernelClassifier) else REGRESSION


def kind_of_classes(estimator: Any) -> str:
    return WHOLE if estimator.classes_.dtype.kind in "iu" else TEXTS


def columns_of(estimator: Any, path: str) -> list[str]:
    """The columns that a model wants, in its order."""
    if not hasattr(estimator, "feature_names_in_"):
        raise ValueError(f"The model in {path} began with an array, so nobody knows the names of its columns.")
    return [str(name) for name in estimator.feature_names_in_]


def found_in(there: Sequence[str], wanted: list[str], path: str, source: str) -> list[str]:
    """What is wanted, if it is there, or nobody knows beforehand."""
    missing = [name for name in wanted if name not in there] if there else []
    if missing:
        raise ValueError(
            f"{source} is no table for the model in {path}: it has no column {', '.join(map(repr, missing[:5]))}"
            f"{' and others' if len(missing) > 5 else ''}; the model learned from {', '.join(wanted[:20])}."
        )
    return wanted


def check_shape(estimator: Any, path: str, position: Position) -> None:
    """Refuse a model that can't go on with such rows."""
    _check_same(task_of(estimator, path), position, path)
    _check_columns(columns_of(estimator, path), position, path)


def check_shape_by_key(path: str, position: Position) -> None:
    """Refuse models by key that can't go on with such rows; the run takes over their columns and classes."""
    with KeyedModels(path=path, reads_only=True) as models:
        before, position.before = files_by_key.position_in(models, path), files_by_key.learned(models.mark)
    if before.key != position.key:
        raise ValueError(f"{path} has a model for each {before.key}, not for each {position.key}: --key {before.key}.")
    _check_same(before.task, position, path)
    _check_columns(before.columns, position, path)
    position.columns, position.kind = before.columns, before.kind


def _check_same(task: str, position: Position, path: str) -> None:
    if task != position.task:
        raise ValueError(f"The model in {path} is for {task}, and the target is for {position.task}; see --task.")


def _check_columns(wanted: list[str], position: Position, path: str) -> None:
    found_in(position.columns, wanted, path, "The source")
    further = [name for name in position.columns if name not in wanted]
    if further:
        raise ValueError(
            f"The model in {path} has learned from {', '.join(wanted[:20])}, and the source also has "
            f"{', '.join(map(repr, further[:5]))}; leave that out by --drop."
        )


def prepared(estimator: Any, position: Position) -> Any:
    """A model that has learned, for a run: in its order of columns, and as runs treat labels."""
    position.columns = [str(name) for name in estimator.feature_names_in_]
    position.before = int(estimator.n_rounds_)
    estimator.set_params(missing_label="skip")
    if position.task == CLASSIFICATION:
        estimator.set_params(new_classes="accept")
        position.kind = kind_of_classes(estimator)
    return estimator
