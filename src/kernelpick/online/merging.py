"""One model from several that have learned different rows, and the blank model that such shards begin as.

A model is merged part by part. What the kernels have learned is merged in the core (core/shards.py). Every other part
says by a method ``merged(others, rows)`` how it is merged with those of the other models, rows being how many rows each
of them has learned from, itself first. A part without that method begins afresh: the history, and the memories, which
have forgotten by clocks of their own; as long as these know nothing, the leader speaks alone.
"""

import copy
from collections.abc import Sequence
from dataclasses import fields
from typing import Any, TypeVar

from kernelpick.core import Specification
from kernelpick.core.priors import weakened
from kernelpick.core.shards import added
from kernelpick.core.shards import blank as blank_state
from kernelpick.online import statistics
from kernelpick.online.history import MERGE
from kernelpick.online.kept_rows import KeptRows
from kernelpick.online.model import Model
from kernelpick.online.target_scale import has_logs
from kernelpick.online.watch import n_recent

M = TypeVar("M", bound=Model)
GIVEN = [field.name for field in fields(Specification) if field.name != "kernels"]
PARTS = ("said", "watch", "calibration", "intervals", "balance", "desk")
CHOICES = ("scale", "scale_target", "target_way", "balanced", "memories", "companions")


def blank(model: M, weight: float = 0.0) -> M:
    """The same columns, scales, kernels and frequencies, nothing learned, and no fit to come.

    With a weight it begins with what the model has learned, which counts as so many rows.
    """
    model = copy.deepcopy(model)
    model.take_in()
    if model.rounds:
        model.fit()
    if model.state is None:
        raise ValueError(
            "There are no kernels yet, so nothing that shards could begin with: learn some rows first, or call fit."
        )
    new = model.afresh()
    new.first = None
    new.inputs, new.targets = statistics.frozen(model.inputs), statistics.frozen(model.targets)
    new.has_logs = has_logs(new.targets)
    new.state = weakened(model.spec, model.state, weight) if weight else blank_state(model.spec, model.state)
    new.begin_joined()
    if model.companions is not None:
        new.companions = model.companions.blank()
    if new.watch is not None:
        new.watch.recent = KeptRows(new.spec, n_recent(new.spec))
    return new


def merged(models: Sequence[M]) -> M:
    """What all of them know, in a model of its own; those that have seen no row are left out."""
    models = [_whole(model) for model in models]
    check(models)
    models = [model for model in models if model.rounds or model.desk.open] or models[:1]
    first, *others = models
    if not others:
        return copy.deepcopy(first)
    rows, whole = [model.rounds for model in models], first.afresh()
    whole.first = None
    whole.inputs = statistics.merged([model.inputs for model in models], rows, first.column_names)
    whole.targets = statistics.merged([model.targets for model in models], rows, range(first.spec.n_outputs), True)
    whole.has_logs = has_logs(whole.targets)
    whole.state = added(first.spec, [model.state for model in models])  # type: ignore[misc]
    whole.begin_joined()
    for name in PARTS:
        own = getattr(first, name)
        if own is not None:
            setattr(whole, name, own.merged([getattr(other, name) for other in others], rows))
    if first.companions is not None:
        parts = [model.companions for model in models if model.companions is not None]
        whole.companions = parts[0].merged(parts[1:], first.spec)
    whole.draws, whole.given_up = (sum(getattr(model, name) for model in models) for name in ("draws", "given_up"))
    if whole.watch is not None:
        whole.watch.begin_window(whole.said)
    if whole.rounds:
        whole.history.add(whole.now()._replace(why=MERGE))
    return whole


def _whole(model: M) -> M:
    """The model, or a copy of it that has taken in all columns."""
    if model.waiting is None:
        return model
    model = copy.deepcopy(model)
    model.take_in()
    return model


def check(models: Sequence[Model]) -> None:
    """Refuse models that do not fit together, in a sentence that names the first difference."""
    for i, model in enumerate(models):
        if model.first is not None and len(models) > 1:
            raise ValueError(
                f"models[{i}] keeps its first rows for a fit, and its scales are not known yet, so it can't be merged: "
                "shards begin as blanks of one model."
            )
    first = models[0]
    for i, model in enumerate(models[1:], start=1):
        for what, ours, theirs in _compared(first, model):
            if ours != theirs:
                raise ValueError(
                    f"models[{i}] has {what} {theirs!r} where models[0] has {ours!r}, so they can't be merged: shards "
                    "begin as blanks of one model."
                )


def _compared(first: Model, other: Model) -> list[tuple[str, Any, Any]]:
    """What has to be the same, by name; kernels last, which follow from all else."""
    pairs = [("the columns", list(first.column_names), list(other.column_names))]
    pairs += [(f"{name} =", getattr(first.spec, name), getattr(other.spec, name)) for name in GIVEN]
    pairs += [(f"{name} =", getattr(first.plan, name), getattr(other.plan, name)) for name in CHOICES]
    return [*pairs, ("kernels =", first.spec.kernels, other.spec.kernels)]
