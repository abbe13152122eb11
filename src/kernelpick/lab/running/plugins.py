"""Python files of the user's that register algorithms; imported before any work, here and in every worker.

A plugin adds; it is not to alter what kernelpick has. So its contents are in the stamps of the results of what it
brought, and of no others.
"""

from __future__ import annotations

import hashlib
import re
import sys
import traceback
from collections.abc import Iterable, Sequence
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from kernelpick.files.errors import DataError, at


class Plugin(NamedTuple):
    """A file as it was when it was imported, and the algorithms that came with it."""

    path: Path
    digest: str
    algorithms: frozenset[str]


_loaded: dict[str, Plugin] = {}
_loading = Lock()  # a Dask worker may have several threads


def absolute(paths: Iterable[str] | None) -> tuple[str, ...]:
    """The files by paths that hold wherever a worker stands, each once."""
    return tuple(dict.fromkeys(str(Path(path).expanduser().resolve()) for path in paths or ()))


def load_plugins(paths: Iterable[str]) -> list[Plugin]:
    """Import these files, each once a process, as kernelpick_plugin_<stem>."""
    with _loading:
        return [_load(Path(path)) for path in absolute(paths)]


def fingerprint(algorithm: str, plugins: Sequence[str]) -> str:
    """For the stamp of a result: the contents of the plugins if one of them brought this algorithm, else nothing."""
    used = load_plugins(plugins)
    return "-".join(one.digest for one in used) if any(algorithm in one.algorithms for one in used) else ""


def _load(path: Path) -> Plugin:
    name = "kernelpick_plugin_" + re.sub(r"\W", "_", path.stem)
    if not path.is_file():
        raise DataError(f"The plugin {path} is not a file; correct --plugin (every worker needs it under this path).")
    digest = hashlib.blake2b(path.read_bytes(), digest_size=6).hexdigest()
    known = _loaded.get(name)
    if known is None:
        known = _loaded[name] = Plugin(path, digest, _imported(name, path))
    if known.path != path:
        raise DataError(f"The plugins {known.path} and {path} have the same name; rename one of the files.")
    if known.digest != digest:
        raise DataError(f"The plugin {path} has changed since this process imported it; start its process anew.")
    return known


def _imported(name: str, path: Path) -> frozenset[str]:
    """Run the file as a module of that name; the algorithms that are new or other than before."""
    from kernelpick.core.algorithms import ALGORITHMS

    before = dict(ALGORITHMS)
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise DataError(f"The plugin {path} is no Python file; its name must end in .py.")
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as problem:
        del sys.modules[name]
        ALGORITHMS.clear()
        ALGORITHMS.update(before)
        raise at(path, _line(problem, path), f"the plugin fails with {_told(problem)}") from problem
    return frozenset(new for new, row in ALGORITHMS.items() if before.get(new) is not row)


def _line(problem: Exception, path: Path) -> int:
    """Where in the file it went wrong."""
    if isinstance(problem, SyntaxError) and problem.filename == str(path):
        return problem.lineno or 1
    frames = [frame for frame in traceback.extract_tb(problem.__traceback__) if frame.filename == str(path)]
    return (frames[-1].lineno or 1) if frames else 1


def _told(problem: Exception) -> str:
    said = problem.msg if isinstance(problem, SyntaxError) else str(problem)
    return f"{type(problem).__name__}, {' '.join(said.split()).rstrip('.')}"
