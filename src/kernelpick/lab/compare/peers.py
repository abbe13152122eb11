"""The peers: one row each, with the package they need and how they are built.

Each has its own defaults and, in front of it, the scaling that a user of that library would put there. Where the
choice was open it was made in the peer's favour, by trying both on some thousand rows of the paper's datasets:

- River's linear model, and for regression its tree and adaptive random forest, get standardised inputs: their
  gradients, also those of the linear models in the leaves, blow up on raw columns.
- The linear models (River's, scikit-learn's, Vowpal Wabbit) also get a target that is standardised on the fly: without
  it they need thousands of rows to reach the level of a target that is far from zero.
- River's tree and adaptive random forest for classification, and its Mondrian forests, see raw columns, as in River's
  documentation. Mondrian forests are better with standardised columns on some datasets and worse on others:
  "river-amf-scaled" has them. It takes part when it is named.
- scikit-learn's RBFSampler has gamma=1 by default, which is far too narrow for many columns: "sklearn-rbf-scale" is the
  same with gamma = 1 / columns, what its gamma="scale" means for standardised inputs. It takes part when it is named.
- Vowpal Wabbit gets raw columns: its default update is invariant to their scale.
- In regression the answers of all peers are cut to the range of the targets before (see `contest.completed`), as two
  rows can make the error of a River tree a thousand times larger.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib.util import find_spec
from typing import NamedTuple

from kernelpick.core.messages import choice
from kernelpick.lab.compare import river_peers, sklearn_peers, vw_peers
from kernelpick.lab.compare.contestants import Contestant, Setting, constant
from kernelpick.lab.running.names import by_commas


class Peer(NamedTuple):
    """A peer, what to install for it, and about how many microseconds a round takes it."""

    build: Callable[[Setting], Contestant]
    package: str | None
    microseconds: float
    usual: bool = True  # takes part without being named
    counted: bool = True  # a peer to be better than, not a mark on the scale

    @property
    def installed(self) -> bool:
        return self.package is None or find_spec(MODULES.get(self.package, self.package)) is not None


MODULES = {"scikit-learn": "sklearn"}
PEERS = {
    "constant": Peer(constant, None, 1, counted=False),
    "river-linear": Peer(river_peers.linear, "river", 60),
    "river-tree": Peer(river_peers.tree, "river", 400),
    "river-arf": Peer(river_peers.adaptive_forest, "river", 4_000),
    "river-amf": Peer(river_peers.mondrian_forest, "river", 3_000),
    "river-amf-scaled": Peer(river_peers.scaled_mondrian_forest, "river", 5_000, usual=False),
    "sklearn-rbf": Peer(sklearn_peers.rbf, "scikit-learn", 700),
    "sklearn-rbf-scale": Peer(sklearn_peers.rbf_scale, "scikit-learn", 700, usual=False),
    "vw": Peer(vw_peers.VowpalWabbit, "vowpalwabbit", 50),
}


def chosen(text: str) -> tuple[list[str], list[str]]:
    """The peers that a list by commas means, and a sentence for each of the usual ones that are not installed.

    In the list, "all" stands for the usual ones; "none" stands alone. A peer that was named and is not installed is an
    error.
    """
    if text.strip() == "none":
        return [], []
    parts = [choice("peer", part, [*PEERS, "all", "none"]) for part in by_commas(text)]
    if not parts or "none" in parts:
        raise ValueError("--peers takes 'none' alone, or 'all', or names by commas.")
    for name in parts:
        if name != "all" and not PEERS[name].installed:
            package = PEERS[name].package
            raise ValueError(f"The peer {name!r} needs {package}: install it with pip install {package}.")
    usual = [name for name, peer in PEERS.items() if peer.usual] if "all" in parts else []
    names = dict.fromkeys([*usual, *(name for name in parts if name != "all")])
    missing = [name for name in names if not PEERS[name].installed]
    return [name for name in names if name not in missing], _skipped(missing)


def _skipped(missing: Iterable[str]) -> list[str]:
    by_package: dict[str, list[str]] = {}
    for name in missing:
        by_package.setdefault(str(PEERS[name].package), []).append(name)
    return [
        f"Skipped: {', '.join(names)}, for want of {package}; pip install {package} brings it."
        for package, names in by_package.items()
    ]
