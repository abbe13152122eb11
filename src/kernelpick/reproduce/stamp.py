"""What a result depends on besides its description: the code that ran and the file it ran on, as a short name.

Results of different code or data are never mixed: each carries its stamp, and a worker on another machine must have
the same one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import kernelpick
from kernelpick.reproduce import fetch
from kernelpick.reproduce.registry import lookup
from kernelpick.streams.errors import DataError

# What `runs` imports, files and folders; reports and the command line can change without making results old.
SOURCES = (
    "algorithms.py", "compilation.py", "core.py", "elementary.py", "engine.py", "kernels.py", "losses.py",
    "messages.py", "panels.py", "products.py", "registers.py", "rng.py", "specification.py",
    "learners", "selectors", "spaces", "streams",
    *(f"reproduce/{name}.py" for name in ("cells", "datasets", "download", "fetch", "progress", "raw", "registry")),
    "reproduce/runs.py",
)  # fmt: skip


@cache
def stamp(dataset: str, data_dir: str | None = None) -> str:
    """The name of this code and this dataset's file."""
    return digest([*sources(), fetch.obtain(lookup(dataset), data_dir)])


def digest(paths: Iterable[Path]) -> str:
    """A short name for the contents of files."""
    digest = hashlib.blake2b(digest_size=6)
    for path in paths:
        with path.open("rb") as file:
            while block := file.read(2**20):  # the whole of SUSY is larger than some memories
                digest.update(block)
        digest.update(b"\0")
    return digest.hexdigest()


def sources() -> list[Path]:
    """The files whose contents decide what comes out."""
    package = Path(kernelpick.__file__).parent
    found = (sorted(path.rglob("*.py")) if path.is_dir() else [path] for path in (package / name for name in SOURCES))
    return [path for paths in found for path in paths]


def check(dataset: str, data_dir: str | None, expected: str) -> None:
    """For a worker: refuse to compute with other code or data than those that the results are for."""
    if stamp(dataset, data_dir) != expected:
        raise DataError(
            f"A worker has another version of kernelpick, or another file for {dataset}, than the process that "
            "started the run: install the same version and the same data on all machines."
        )
