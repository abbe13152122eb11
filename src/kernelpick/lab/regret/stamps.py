"""The stamp of a result: the code behind it and the file, so that those of other code or data are never mixed."""

from __future__ import annotations

from functools import cache

from kernelpick.files.errors import DataError
from kernelpick.lab.datasets import fetch
from kernelpick.lab.datasets.registry import lookup
from kernelpick.lab.regret.plays import Play
from kernelpick.lab.regret.rivals import Rival
from kernelpick.lab.regret.streams import NamedStream
from kernelpick.lab.running.plugins import fingerprint
from kernelpick.lab.running.stamps import digest, sources

PLAYS, RIVALS = "kernelpick.lab.regret.plays", "kernelpick.lab.regret.rivals"


@cache
def _of(module: str, stream: NamedStream) -> str:
    data = [] if stream.made_up else [fetch.obtain(lookup(stream.name), stream.data)]
    return digest([*sources(module), *data])


def stamp(task: Play | Rival, plugins: tuple[str, ...]) -> str:
    """That of a play has the plugins too, if one of them brought its algorithm."""
    if isinstance(task, Rival):
        return _of(RIVALS, task.stream)
    parts = _of(PLAYS, task.case.stream), fingerprint(task.entrant.algorithm, plugins)
    return "-".join(part for part in parts if part)


def check(task: Play | Rival, plugins: tuple[str, ...], expected: str) -> None:
    """For a worker: refuse to compute with other code or data than those that the results are for."""
    if stamp(task, plugins) != expected:
        raise DataError(
            "A worker has another version of kernelpick, another file of data or another plugin than the process that "
            "started the work: install the same version and the same files on all machines."
        )
