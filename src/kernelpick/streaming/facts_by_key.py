"""What can be told of models by key, in sections as of a single one."""

import math
from pathlib import Path
from typing import Any

from kernelpick.keyed import KeyedModels
from kernelpick.streaming.checkpoint import Position
from kernelpick.streaming.facts import Facts, Section, asked_for, few, run_of
from kernelpick.streaming.files_by_key import learned, position_in
from kernelpick.streaming.table import leader_of

MOST_KEYS = 40  # that are looked into: a model takes a millisecond to open


def sections_by_key(models: KeyedModels, path: Path) -> list[Section]:
    """What they have in common, how they got there, and the first of them."""
    position, keys = position_in(models, path), models.keys()
    return [
        Section("models", _models(models, position, path, len(keys))),
        Section("how they got there", run_of(position)),
        Section("keys", _keys(models, keys)),
    ]


def _models(models: KeyedModels, position: Position, path: Path, count: int) -> Facts:
    size, rows = path.stat().st_size, learned(models.mark)
    told = [
        ("file", f"{path} ({size:,} bytes)"),
        ("one model per", f"{position.key}: {count:,} keys, {size // max(count, 1):,} bytes each"),
        ("class", type(models.begin).__name__),
        *asked_for(models.begin),
        ("rows learned", f"{rows:,}, {rows / max(count, 1):,.1f} a key"),
        ("columns", few(position.columns, 20)),
    ]
    return [*told, ("new keys", "begin with a prior")] if models.begin._model is not None else told


def _keys(models: KeyedModels, keys: list[Any]) -> Facts:
    rows: Facts = [_key(key, models.get(key)) for key in keys[:MOST_KEYS]]
    left = len(keys) - MOST_KEYS
    return [*rows, (f"and {left:,} more", "", "", "")] if left > 0 else rows


def _key(key: Any, model: Any) -> tuple[str, ...]:
    if model._model is None:
        return str(key), "no row learned", "", ""
    loss = "" if math.isnan(model.loss_) else f"mean loss {model.loss_:.4g}"
    return str(key), f"{model.n_rounds_:,} rows", loss, leader_of(model) or ""
