"""What a result depends on besides its description: the code that played and the file, as a short name.

It is a part of the name of a result, so that those of other code or data are never taken for one's own.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import kernelpick
from kernelpick.compare.peers import PEERS
from kernelpick.compare.sources import Wanted
from kernelpick.reproduce.stamp import digest

# What can change without making a result of ours old: all that shows results or is another way in.
ELSEWHERE = (
    "cli.py", "demo.py", "river", "compare/command.py", "compare/page.py", "compare/stamps.py", "compare/standings.py",
    "compare/table.py", "compare/peers.py", "compare/river_peers.py", "compare/sklearn_peers.py",
    "compare/vw_peers.py",
    *(f"reproduce/{name}.py" for name in (
        "cells", "charts", "command", "document", "download", "html", "ledger", "listing", "pace", "plan", "progress",
        "report", "results", "stamp", "summary", "tables", "workers")),
)  # fmt: skip
# What decides what comes out of a peer, with the version of its package.
PLAYS = (
    "compare/contest.py", "compare/contestants.py", "compare/files.py", "compare/sources.py", "compare/peers.py",
    "compare/river_peers.py", "compare/sklearn_peers.py", "compare/vw_peers.py", "streams", "rng.py",
    "reproduce/raw.py", "reproduce/registry.py", "reproduce/runs.py",
)  # fmt: skip


@cache
def stamp(wanted: Wanted, contestant: str) -> str:
    """The name of the code and of the file that a contest depends on."""
    data = digest([wanted.path])
    if contestant in PEERS:
        return f"{data}-{digest(_files(PLAYS))}-{_release(PEERS[contestant].package)}"
    elsewhere = set(_files(ELSEWHERE))
    return f"{data}-{digest(path for path in _files(['.']) if path not in elsewhere)}"


def _files(names: tuple[str, ...] | list[str]) -> list[Path]:
    package = Path(kernelpick.__file__).parent
    found = (sorted(path.rglob("*.py")) if path.is_dir() else [path] for path in (package / name for name in names))
    return [path for paths in found for path in paths]


def _release(package: str | None) -> str:
    try:
        return version(package) if package else ""
    except PackageNotFoundError:
        return "unknown"
