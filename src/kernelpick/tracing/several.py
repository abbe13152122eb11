"""kernelpick.traces: several runs at once, with their mean and spread."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernelpick.core import messages
from kernelpick.tracing.one import trace
from kernelpick.tracing.runs import Trace


@dataclass(frozen=True)
class Traces:
    """Runs over the same rows that differ in their random numbers only."""

    runs: tuple[Trace, ...]

    @property
    def losses(self) -> np.ndarray:
        """(runs, T)"""
        return np.stack([run.losses for run in self.runs])

    @property
    def mean_losses(self) -> np.ndarray:
        """(runs,) the mean loss of each run."""
        return self.losses.mean(axis=1)

    @property
    def mean(self) -> float:
        """The mean of these."""
        return float(self.mean_losses.mean())

    @property
    def spread(self) -> float:
        """Their standard deviation; NaN for a single run."""
        return float(self.mean_losses.std(ddof=1)) if len(self.runs) > 1 else float("nan")

    @property
    def standard_error(self) -> float:
        """Of the mean."""
        return float(self.spread / np.sqrt(len(self.runs)))

    def __repr__(self) -> str:
        size = f"{len(self.runs)} runs of {len(self.runs[0].arms)} rounds"
        return f"Traces({size}, mean loss {self.mean:.4g} +- {self.spread:.2g})"


def traces(algorithm: Any, X: Any, y: Any, *, loss: Any, seeds: int | Sequence[int] = 10, **options: Any) -> Traces:
    """Run an algorithm several times over the rows of X, with other random numbers each time.

    Parameters
    ----------
    algorithm, X, y, loss, **options : as in :func:`trace`
    seeds : the seeds, or how many of them, from 0 on

    >>> import numpy as np, kernelpick
    >>> X = np.random.default_rng(0).uniform(-1, 1, (300, 2))
    >>> kernelpick.traces("rf-oks++", X, np.sin(4 * X[:, 0]), loss="square", seeds=5)
    Traces(5 runs of 300 rounds, mean loss ... +- ...)
    """
    chosen = list(seeds) if isinstance(seeds, Iterable) else range(messages.whole("seeds", seeds, 1))
    if not chosen:
        raise ValueError("There are no seeds to run with: give at least one.")
    return Traces(tuple(trace(algorithm, X, y, loss=loss, random_state=seed, **options) for seed in chosen))
