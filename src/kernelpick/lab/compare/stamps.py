"""The stamp of a contest: the code that answers and the file.

It is a part of the name of a result, so that those of other code or data are never taken for one's own.
"""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version

from kernelpick.budget.cache import machine
from kernelpick.lab.compare.budgets import bought, split
from kernelpick.lab.compare.peers import PEERS
from kernelpick.lab.compare.sources import Wanted, opened
from kernelpick.lab.running.plugins import fingerprint
from kernelpick.lab.running.stamps import digest, sources

CONTEST = "kernelpick.lab.compare.contest"
# What shows results, and for ours also the peers, can change without making a result old; for peers all our algorithms.
OURS, OTHERS = "kernelpick.lab.compare.ours", "kernelpick.lab.compare.peers"


@cache
def stamp(wanted: Wanted, contestant: str, plugins: tuple[str, ...] = ()) -> str:
    """The name of the code, plugins among it, and of the file that a contest depends on."""
    data = _contents(wanted) if wanted.made else digest(wanted.paths)
    if wanted.how:
        data += f"-{blake2b(wanted.how.encode(), digest_size=3).hexdigest()}"
    if made := opened(wanted).made:
        data += f"-{made}"
    if contestant in PEERS:
        return f"{data}-{digest(sources(CONTEST, OTHERS))}-{_release(PEERS[contestant].package)}"
    algorithm, budget = split(contestant)
    sized = _sized(wanted, contestant) if budget else ""
    parts = data, digest(sources(CONTEST, OURS)), fingerprint(algorithm, plugins), sized
    return "-".join(part for part in parts if part)


def _sized(wanted: Wanted, contestant: str) -> str:
    """A short name for what a budget buys on this machine, and for the machine, whose times are told."""
    return blake2b(f"{machine()} {bought(contestant, opened(wanted))}".encode(), digest_size=3).hexdigest()


def _contents(wanted: Wanted) -> str:
    """A short name for the rows of a stream that has no file."""
    stream = opened(wanted)
    digest = blake2b(stream.X.tobytes(), digest_size=6)
    digest.update(stream.y.tobytes())
    return digest.hexdigest()


def _release(package: str | None) -> str:
    try:
        return version(package) if package else ""
    except PackageNotFoundError:
        return "unknown"
