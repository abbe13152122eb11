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
- CapyMOA's ensembles see raw columns, as in its documentation; its random patches and leveraging bagging learn labels
  only, and on other streams do not take part.
- In regression the answers of all peers are cut to the range of the targets before (see `contest.completed`), as two
  rows can make the error of a River tree a thousand times larger.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib.util import find_spec
from typing import NamedTuple

from kernelpick.core.messages import choice
from kernelpick.lab.compare import boosting, capymoa_peers, river_peers, sklearn_peers, vw_peers
from kernelpick.lab.compare.contestants import Contestant, Setting, constant, no_change
from kernelpick.lab.running.names import by_commas


class Peer(NamedTuple):
    """A peer, what to install for it, and about how many microseconds a round takes it."""

    build: Callable[[Setting], Contestant]
    package: str | None
    microseconds: float
    usual: bool = True  # takes part without being named
    counted: bool = True  # a peer to be better than, not a mark on the scale
    labels_only: bool = False  # its library has no such learner for regression

    @property
    def lacks(self) -> str | None:
        """What it cannot run without and is not here, with how to get it; None if it can run."""
        if self.package is None:
            return None
        if find_spec(MODULES.get(self.package, self.package)) is None:
            return f"{self.package}; pip install {self.package} brings it"
        if self.package == "capymoa" and not capymoa_peers.java():
            return "Java; install a Java runtime of version 17 or later"
        return None


MODULES = {"scikit-learn": "sklearn"}
PEERS = {
    "constant": Peer(constant, None, 1, counted=False),
    "no-change": Peer(no_change, None, 1, counted=False),
    "river-linear": Peer(river_peers.linear, "river", 60),
    "river-tree": Peer(river_peers.tree, "river", 400),
    "river-arf": Peer(river_peers.adaptive_forest, "river", 4_000),
    "river-amf": Peer(river_peers.mondrian_forest, "river", 3_000),
    "river-amf-scaled": Peer(river_peers.scaled_mondrian_forest, "river", 5_000, usual=False),
    "sklearn-rbf": Peer(sklearn_peers.rbf, "scikit-learn", 700),
    "sklearn-rbf-scale": Peer(sklearn_peers.rbf_scale, "scikit-learn", 700, usual=False),
    "vw": Peer(vw_peers.VowpalWabbit, "vowpalwabbit", 50),
    "capymoa-arf": Peer(capymoa_peers.adaptive_forest, "capymoa", 3_000),
    "capymoa-srp": Peer(capymoa_peers.random_patches, "capymoa", 2_500, labels_only=True),
    "capymoa-lb": Peer(capymoa_peers.leveraging_bagging, "capymoa", 1_500, labels_only=True),
    "capymoa-sgbt": Peer(capymoa_peers.boosted_trees, "capymoa", 1_500),
    "offline-boosting": Peer(boosting.Boosting, "scikit-learn", 300, counted=False),
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
        if name != "all" and (want := PEERS[name].lacks):
            raise ValueError(f"The peer {name!r} needs {want}.")
    usual = [name for name, peer in PEERS.items() if peer.usual] if "all" in parts else []
    names = dict.fromkeys([*usual, *(name for name in parts if name != "all")])
    missing = [name for name in names if PEERS[name].lacks]
    return [name for name in names if name not in missing], _skipped(missing)


def _skipped(missing: Iterable[str]) -> list[str]:
    by_want: dict[str, list[str]] = {}
    for name in missing:
        by_want.setdefault(str(PEERS[name].lacks), []).append(name)
    return [f"Skipped: {', '.join(names)}, for want of {want}." for want, names in by_want.items()]


def fitting(names: Iterable[str], classifies: bool) -> list[str]:
    """Those of the peers that can learn such a stream."""
    return [name for name in names if classifies or not PEERS[name].labels_only]
