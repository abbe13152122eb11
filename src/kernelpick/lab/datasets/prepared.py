"""The eight datasets as the paper's experiments use them, by name."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from kernelpick.files.text import Floats, Source
from kernelpick.lab.datasets import fetch, raw
from kernelpick.lab.datasets.ranges import to_range
from kernelpick.lab.datasets.registry import REGISTRY, Range, Registered, lookup

USUAL: Range = (-1.0, 1.0)  # to which the paper scales inputs


class Dataset(NamedTuple):
    """Rows in the order of the file; labels are -1 and +1, regression targets lie in [0, 1]."""

    name: str
    task: str
    X: Floats
    y: Floats


class Status(NamedTuple):
    """A dataset and where its file is, if it is anywhere."""

    entry: Registered
    path: Path | None


def dataset(name: str, data_dir: Source | None = None, download: bool = True, inputs: Range | None = None) -> Dataset:
    """A dataset by name, prepared: from `data_dir`, the folder KERNELPICK_DATA, the cache, or else its public home.

    Inputs are scaled as the registry says, or to the range `inputs`. Parsing is done once per process, file and range;
    the arrays are the caller's own.
    """
    entry = lookup(name)
    path = fetch.obtain(entry, data_dir, download)
    stamp = path.stat()
    wanted = inputs or (USUAL if entry.scaled else None)
    X, y = _prepared(entry.name, path, stamp.st_mtime_ns, stamp.st_size, wanted)
    return Dataset(entry.name, entry.task, X.copy(), y.copy())


def status(data_dir: Source | None = None) -> list[Status]:
    """Every dataset of the registry and the file it would be loaded from."""
    return [Status(entry, fetch.find(entry, data_dir)) for entry in REGISTRY.values()]


@lru_cache(maxsize=len(REGISTRY))
def _prepared(name: str, path: Path, modified: int, size: int, inputs: Range | None) -> tuple[Floats, Floats]:
    """Time and size are in the key so that a file that was replaced is read again."""
    entry = lookup(name)
    X, y = raw.read(entry, path)
    return (
        X if inputs is None else to_range(X, *inputs),
        to_range(y, 0.0, 1.0) if entry.task == "regression" else y,
    )
