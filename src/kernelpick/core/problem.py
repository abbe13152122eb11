"""What the parts of an algorithm are built from: the numbers behind all rates, and the sizes of all arrays."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from kernelpick.core.kernels import Kernel
from kernelpick.core.rounds import BLOCK

DOUBLE, SINGLE = PRECISIONS = ("double", "single")


@dataclass(frozen=True)
class Problem:
    """One stream, seen from the parts."""

    kernels: tuple[Kernel, ...]  # those in effect
    outputs: int
    inputs: int
    horizon: int
    radius: float
    projects: bool  # whether hypotheses are kept in the ball of that radius
    loss: Any
    published: bool
    step_scale: float
    budget: int
    n_features: int
    orthogonal: bool
    seed: int
    hypotheses: float
    forgetting: float | tuple[float, ...]
    weights: int = 0  # of one output of a hypothesis, where it is linear in features
    batch: int = BLOCK  # rows that newton takes in at a time
    seats: int = 0  # places for what learners know of arms
    steady: bool = False  # no round does more than its share
    even: bool = False  # nor has any more players than others
    frequencies: np.ndarray | None = None  # (D, d) standard normal rows in the place of those of the seed
    precision: str = DOUBLE  # of random features
    wide: bool = False  # whether weights are sums that stay in double precision all the same

    @property
    def dtype(self) -> Any:
        """Of frequencies and features."""
        return np.float32 if self.precision == SINGLE else np.float64

    @property
    def weights_dtype(self) -> Any:
        """Of hypotheses that are rows of weights."""
        return np.float64 if self.wide else self.dtype

    @property
    def arms(self) -> int:
        return len(self.kernels)

    @property
    def ball(self) -> float:
        """The radius that hypotheses are kept in, infinite where they are not."""
        return self.radius if self.projects else np.inf

    def uniform(self) -> np.ndarray:
        """p_1: all arms alike."""
        return np.full(self.arms, 1 / self.arms)

    def lengths(self, order: int) -> dict[str, int]:
        """The lengths of axes by their meaning (see parts.py); order is the number of weights, rounded up."""
        return {
            "arms": self.arms,
            "seats": self.seats,
            "outputs": self.outputs,
            "inputs": self.inputs,
            "features": self.n_features,
            "weights": self.weights,
            "order": order,
            "batch": self.batch,
        }


def smooth_bound(problem: Problem) -> float:
    """b = (G C0)^(1/3) (U K)^(2/3) of OKS++, with G = 1."""
    curvature = problem.loss.smooth or 1.0
    return float(curvature ** (1 / 3) * (problem.radius * problem.arms) ** (2 / 3))
