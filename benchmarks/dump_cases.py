"""What the parts of dump.py share: the list of cases, and the names to go through."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import kernelpick
from kernelpick import Cauchy, Gaussian, Laplacian, Matern32, Matern52

Found = Iterator[tuple[str, Any]]  # names and arrays
EXACT = ("oks", "oks++", "ioks", "lkmbooks")
DRAWN = ("rf-oks", "rf-oks++", "rf-ioks", "raker")
ALGORITHMS = (
    *EXACT, *DRAWN, "leader",
    *(f"{name}-{learner}" for learner in ("adagrad", "newton") for name in (*DRAWN, "leader")), "auto", "whole auto",
)  # fmt: skip
REGRESSION, CLASSIFICATION = ("square", "absolute", "huber"), ("logistic", "hinge", "squared_hinge")
UNSMOOTH = ("absolute", "hinge")
MIXED = [Gaussian(0.5), Laplacian(2.0), Matern32(1.0), Matern52(0.8), Cauchy(1.5)]
CASES: list[Callable[[], Found]] = []


def case(function: Callable[[], Found]) -> Callable[[], Found]:
    CASES.append(function)
    return function


def algorithm_called(name: str) -> Any:
    """The algorithm of a name above. "auto" is what it was in the first edition, also where more plays beside its
    kernels by now, so that all that is beneath can be compared; "whole auto" is the one that there is."""
    if name != "auto" or not hasattr(getattr(kernelpick, "Algorithm", None), "size"):
        return name.removeprefix("whole ")
    row = kernelpick.Algorithm("augmented", "newton", "leader", beyond="adagrad", fits=(8, 64, 512))
    return replace(row, size=row.size._replace(order=480, beside=False))


def refuses(algorithm: str, loss: str) -> bool:
    """Whether the algorithm needs a smooth loss and this one is not."""
    return loss in UNSMOOTH and ("++" in algorithm or algorithm.endswith(("newton", "auto")))
