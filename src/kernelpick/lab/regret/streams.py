"""The streams: rows in one fixed order, the same for all seeds, and kernels to choose from.

Made-up ones are those where theory bites. Inputs lie in the square [-1, 1]^2; a planted target is of small norm in the
space of the widest kernel, and so of norm below 1 in those of all others that are up to twice as narrow.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from kernelpick.core.kernels import Kernel
from kernelpick.core.kernels.gaussian import Gaussian
from kernelpick.core.messages import choice
from kernelpick.core.numerics import rng
from kernelpick.core.specification import DEFAULT_WIDTHS
from kernelpick.lab.datasets.permutations import order
from kernelpick.lab.datasets.prepared import dataset
from kernelpick.lab.datasets.registry import REGISTRY
from kernelpick.lab.running.names import unique

Sample = tuple[np.ndarray, np.ndarray]
WIDE, NARROW, HOPELESS = 1.0, 0.5, 0.01  # widths; the last is that of kernels that see no two rows at once
CENTRES, NORM = 5, 0.45
LATE = 0.6  # of the rounds are over when the best arm changes
BAIT, CATCH = 0.6, 1.0  # targets of the trap before the change and after it
APART, AWAY = 0.01, 4.0  # its two places from each other, and from where it goes on


class MadeUp(NamedTuple):
    """A stream of so many rounds, and the widths of K kernels."""

    rows: Callable[[int], Sample]
    widths: Callable[[int], np.ndarray]
    about: str
    loss: str = "square"  # the usual one


def _inputs(rounds: int) -> np.ndarray:
    return 2 * rng.uniforms(0, "regret/inputs", 0, 2 * rounds).reshape(rounds, 2) - 1


def _planted(X: np.ndarray) -> np.ndarray:
    """A function of norm NORM in the space of the widest kernel."""
    centres, kernel = 2 * rng.uniforms(0, "regret/centres", 0, 2 * CENTRES).reshape(CENTRES, 2) - 1, Gaussian(WIDE)
    signs = np.where(np.arange(CENTRES) % 2, -1.0, 1.0)
    return kernel(X, centres) @ signs * (NORM / np.sqrt(signs @ kernel(centres, centres) @ signs))


def _noisy(size: float) -> Callable[[int], Sample]:
    def rows(rounds: int) -> Sample:
        X = _inputs(rounds)
        return X, _planted(X) + size * rng.normals(0, "regret/noise", rounds)

    return rows


def _trap(rounds: int) -> Sample:
    """A trap for those who are paid by importance: the arm that is best over all rounds is not drawn for most of them.

    At first there are two places, very near to each other, with targets BAIT and -BAIT. Narrow kernels learn them; the
    wide one can't tell them apart, and loses BAIT^2 a round at best. Then, far away, inputs are all new and the target
    is CATCH: the wide kernel learns it, and the narrow ones lose CATCH^2 a round whatever they learn. The wide one is
    the best over all rounds, 0.6 BAIT^2 < 0.4 CATCH^2. But while it is hardly ever drawn its steps are of the size
    a = 2 lambda/p, and a gradient's step of that size on a target that is all noise adds a/(2 - a) to the loss. So it
    seems that much worse than it could be when it is time to draw it. In another order of the same rows it is drawn
    early, and its steps are short.
    """
    side, late = _sides(rounds), np.arange(rounds) >= LATE * rounds
    places = np.column_stack([AWAY + 0.5 * APART * side, np.zeros(rounds)])
    return np.where(late[:, None], 0.25 * _inputs(rounds), places), np.where(late, CATCH, BAIT * side)


def _sides(rounds: int) -> np.ndarray:
    return np.where(rng.uniforms(0, "regret/sides", 0, rounds) < 0.5, -1.0, 1.0)


def _mixed_trap(rounds: int) -> Sample:
    """The same rows with no before and after: what the order alone costs is the difference."""
    X, y = _trap(rounds)
    rows = np.argsort(rng.uniforms(0, "regret/mixed", 0, rounds), kind="stable")
    return X[rows], y[rows]


def _labels(rounds: int) -> Sample:
    X = _inputs(rounds)
    return X, np.where(_planted(X) > 0, 1.0, -1.0)


def _constant(rounds: int) -> Sample:
    """Who predicts 0 loses 1 a round, where a function of norm about 1 loses nothing: more than Theorem 1 allows."""
    return _inputs(rounds), np.ones(rounds)


def _fitting(count: int) -> np.ndarray:
    return np.geomspace(NARROW, WIDE, count)


def _half_fitting(count: int) -> np.ndarray:
    hopeless = count // 2
    return np.concatenate([np.geomspace(HOPELESS, 2 * HOPELESS, hopeless), _fitting(count - hopeless)])


def _one_wide(count: int) -> np.ndarray:
    return np.concatenate([np.geomspace(0.1 * HOPELESS, 0.2 * HOPELESS, count - 1), [WIDE]])


def paper_widths(count: int) -> np.ndarray:
    """The range of the paper's six, evenly."""
    return np.geomspace(DEFAULT_WIDTHS[0], DEFAULT_WIDTHS[-1], count)


MADE_UP = {
    "planted": MadeUp(_noisy(0.0), _fitting, "all kernels fit, without noise"),
    "noise": MadeUp(_noisy(0.1), _fitting, "all kernels fit, noise of size 0.1"),
    "misfits": MadeUp(_noisy(0.0), _half_fitting, "half of the kernels see no two rows at once"),
    "trap": MadeUp(_trap, _one_wide, "the best arm changes late, to one that was hardly ever drawn"),
    "trap-mixed": MadeUp(_mixed_trap, _one_wide, "the rows of the trap in random order"),
    "labels": MadeUp(_labels, _fitting, "labels by the sign of a function that fits all kernels", "hinge"),
    "constant": MadeUp(_constant, paper_widths, "the target is 1"),
}
SYNTHETIC, CONTROL = "synthetic", "trap-mixed"  # all of these but the control, which is asked for by its name


class NamedStream(NamedTuple):
    """What the command line names."""

    name: str
    data: str | None = None

    @property
    def made_up(self) -> bool:
        return self.name in MADE_UP

    @property
    def usual_loss(self) -> str:
        if self.made_up:
            return MADE_UP[self.name].loss
        return "square" if REGISTRY[self.name].task == "regression" else "logistic"

    @property
    def longest(self) -> int | None:
        """Rows there are; made-up ones do not end."""
        return None if self.made_up else REGISTRY[self.name].rows

    def rows(self, rounds: int) -> Sample:
        """The first rows, always in the same order."""
        if self.made_up:
            return _made_up(self.name, rounds)
        X, y = _shuffled(self.name, self.data)
        return X[:rounds], y[:rounds]

    def kernels(self, count: int) -> tuple[Kernel, ...]:
        widths = MADE_UP[self.name].widths if self.made_up else paper_widths
        return tuple(Gaussian(float(width)) for width in widths(count))


@lru_cache(maxsize=4)
def _made_up(name: str, rounds: int) -> Sample:
    return MADE_UP[name].rows(rounds)


@lru_cache(maxsize=2)
def _shuffled(name: str, data: str | None) -> Sample:
    whole = dataset(name, data)
    rows = order(name, 0, len(whole.y))
    return whole.X[rows], whole.y[rows]


def named(names: list[str], data: str | None) -> list[NamedStream]:
    """The streams that are meant."""
    known = [SYNTHETIC, *MADE_UP, *REGISTRY]
    usual = [name for name in MADE_UP if name != CONTROL]
    meant = [one for name in names for one in (usual if choice("stream", name, known) == SYNTHETIC else [name])]
    return [NamedStream(one, None if one in MADE_UP else data) for one in unique(meant)]
