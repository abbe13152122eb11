"""Which directions matter: kernels of a distance that is learned from the gradients of the best hypothesis so far.

The average gradient outer product M of what it says tells how much a step in each direction changes the prediction
(Radhakrishnan and others, 2024, "recursive feature machines"). Kernels that look at L x, with L a root of M, spend
their frequencies where the target changes. They are arms like others, and race.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from kernelpick.core import Specification, State
from kernelpick.core.kernels import Kernel
from kernelpick.core.kernels.learned import LearnedMetric, LearnedScales
from kernelpick.core.spaces.augmented import squash
from kernelpick.core.spaces.features import slopes_of_features, spectra
from kernelpick.online import grids

EVEN = 0.1  # the part of M that is the same in all directions
POWER = 0.35  # of M, for L as a whole matrix; ½ for its diagonal alone
NARROWER = (0.5, 1.0)  # times the factor of the best width
WHOLE_UP_TO = 48  # inputs, where no round may do more than its share: beyond, directions are those of the inputs
MOST_INPUTS = 350  # beyond, there is no metric: roots of large matrices take long
KEPT = 4  # of the widths that were raced, the best so many stay


class Metric(NamedTuple):
    """What was learned: the roots L by the class of kernels that look at L x."""

    roots: dict[Any, np.ndarray]

    def started(self, start: Callable[[], State], kernels: tuple[Kernel, ...]) -> State:
        """The state before its first round, with frequencies L u for those of the kernels that look at L x."""
        state = start()
        frequencies, own = state.space.frequencies, {cls.spectrum: root for cls, root in self.roots.items()}
        for group, spectrum in enumerate(spectra(kernels)):
            if spectrum in own:
                frequencies[group] = own[spectrum] @ frequencies[0]
        return state


def learned(M: np.ndarray, columns: int, whole: bool = True) -> Metric | None:
    """From the M of an arm that has played rows of which so many columns exist; None if it says the same to all rows.

    Where it is not the whole M but its diagonal, it has no root as a matrix.
    """
    M[columns:], M[:, columns:] = 0.0, 0.0
    size = np.trace(M) / columns
    if not (np.isfinite(size) and size > 0.0):
        return None
    M = (M / size + EVEN * np.eye(len(M))) / (1.0 + EVEN)
    roots: dict[Any, np.ndarray] = {LearnedScales: np.diag(np.diag(M) ** 0.5)}
    if whole:
        values, vectors = np.linalg.eigh(M)
        roots = {LearnedMetric: (vectors * np.maximum(values, 0.0) ** POWER) @ vectors.T, **roots}
    return Metric(roots)


def more_kernels(n_inputs: int) -> int:
    """How many kernels there are of a metric for so many inputs, where large matrices have no root."""
    return len(NARROWER) * (2 if n_inputs <= WHOLE_UP_TO else 1)


def kept_beside(n_inputs: int, hypotheses: float) -> int:
    """The widths that stay beside them: one, or more where so many hypotheses in a round have room for more."""
    return min(max(int(hypotheses) - more_kernels(n_inputs), 1), KEPT)


def with_metric(
    spec: Specification, metric: Metric, arm: int, losses: np.ndarray, X: np.ndarray, kept: int = KEPT
) -> Specification:
    """With kernels of widths around the one that this arm has, by the distances of scaled rows. Of those that there
    are, so many with the smallest of these losses stay."""
    factor, seen = grids.factors()[arm], squash(X)
    medians = {kind: grids.median_distance(seen @ root) for kind, root in metric.roots.items()}
    more = [kind(q * factor * median) for kind, median in medians.items() for q in NARROWER]
    best = np.sort(np.argsort(losses, kind="stable")[:kept])
    return replace(spec, kernels=(*(spec.kernels[arm] for arm in best), *more))


def plain_leader(state: State, kernels: tuple[Kernel, ...]) -> int:
    """The arm in the lead of those that look at inputs as they are."""
    plain = [arm for arm, kernel in enumerate(kernels) if not isinstance(kernel, LearnedMetric | LearnedScales)]
    if state.leader in plain:
        return state.leader
    return min(plain, key=lambda arm: (np.isnan(state.losses[arm]), state.losses[arm]))


def outer_product(state: State, X: np.ndarray) -> np.ndarray:
    """(d, d) the mean over rows, and the sum over outputs, of g g': g is the gradient by what the kernel sees, and that
    of the linear part, as if it saw the same."""
    total = np.zeros((X.shape[1], X.shape[1]))
    for g in _slopes(state, X):
        total += g.T @ g / len(X)
    return total


def squares(state: State, X: np.ndarray) -> np.ndarray:
    """(d,) its diagonal alone: of many inputs, the rest takes as long again."""
    return sum(np.einsum("ij,ij->j", g, g) for g in _slopes(state, X)) / len(X)  # type: ignore[no-any-return]


def _slopes(state: State, X: np.ndarray) -> Iterator[np.ndarray]:
    """(T, d) for each output."""
    space, arm = state.space, state.leader
    seen = squash(X, space.bound)
    for weights in state.learner.hypothesis(space, arm, state.seat(arm)):
        yield slopes_of_features(space, arm, weights, seen) + weights[len(weights) - X.shape[1] :]
