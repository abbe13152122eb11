"""What the parts of dump.py share: the list of cases, and the names to go through."""

from collections.abc import Callable, Iterator
from typing import Any

from kernelpick import Cauchy, Gaussian, Laplacian, Matern32, Matern52

Found = Iterator[tuple[str, Any]]  # names and arrays
EXACT = ("oks", "oks++", "ioks", "lkmbooks")
DRAWN = ("rf-oks", "rf-oks++", "rf-ioks", "raker")
ALGORITHMS = (
    *EXACT, *DRAWN, "leader",
    *(f"{name}-{learner}" for learner in ("adagrad", "newton") for name in (*DRAWN, "leader")), "auto",
)  # fmt: skip
REGRESSION, CLASSIFICATION = ("square", "absolute", "huber"), ("logistic", "hinge", "squared_hinge")
UNSMOOTH = ("absolute", "hinge")
MIXED = [Gaussian(0.5), Laplacian(2.0), Matern32(1.0), Matern52(0.8), Cauchy(1.5)]
CASES: list[Callable[[], Found]] = []


def case(function: Callable[[], Found]) -> Callable[[], Found]:
    CASES.append(function)
    return function


def refuses(algorithm: str, loss: str) -> bool:
    """Whether the algorithm needs a smooth loss and this one is not."""
    return loss in UNSMOOTH and ("++" in algorithm or algorithm.endswith("newton") or algorithm == "auto")
