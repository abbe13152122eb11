"""Our algorithms with time budgets: contestants such as "auto@50us", and what each budget buys on a stream."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from kernelpick.budget import parse, planned
from kernelpick.core.algorithms import ALGORITHMS
from kernelpick.lab.compare.sources import ContestStream
from kernelpick.online.classes import n_outputs

MARK = "@"
USUAL = ("rf-oks++", "rf-ioks", "raker", "auto")


def budgets(text: str) -> list[str]:
    """Times by commas, the shortest first.

    >>> budgets("1ms, 20us")
    ['20us', '1ms']
    """
    times: dict[float, str] = {}
    for one in filter(None, map(str.strip, text.split(","))):
        same = times.setdefault(parse.seconds(one, "--budgets"), one)
        if same is not one:
            raise ValueError(f"--budgets has a time twice, {same} and {one}: give each once.")
    if not times:
        raise ValueError("--budgets is empty: give times by commas, such as 20us,1ms, or leave it out.")
    return [times[time] for time in sorted(times)]


def named(algorithm: str, budget: str) -> str:
    return f"{algorithm}{MARK}{budget}"


def split(contestant: str) -> tuple[str, str | None]:
    """The algorithm and its budget, if it has one.

    >>> split("auto@50us"), split("auto")
    (('auto', '50us'), ('auto', None))
    """
    algorithm, _, budget = contestant.partition(MARK)
    return algorithm, budget or None


def estimator(contestant: str, classes: int, seed: int) -> Any:
    """With all other parameters at their defaults; an algorithm that is made for a single loss has that."""
    from kernelpick.sklearn import KernelClassifier, KernelRegressor

    algorithm, budget = split(contestant)
    only, face = ALGORITHMS[algorithm].learner.only_loss, KernelClassifier if classes else KernelRegressor
    return face(algorithm, random_state=seed, time_budget=budget, **({"loss": only} if only else {}))


def bought(contestant: str, stream: ContestStream) -> str | None:
    """What a budget buys on such a stream here, in words; None where it is too small."""
    params = estimator(contestant, len(stream.classes), 0).get_params(deep=False)
    outputs = n_outputs(len(stream.classes)) if stream.classes else 1
    with warnings.catch_warnings(record=True) as capped:
        warnings.simplefilter("always")
        try:
            told = planned.sizes(params, bool(stream.classes), stream.X.shape[1], outputs)
        except planned.TooSmallBudget:
            return None
    return planned.size_text(told, params) + (", the largest" if capped else "")


def contestants(
    algorithms: Sequence[str], times: Sequence[str], stream: ContestStream
) -> tuple[dict[str, str], list[str]]:
    """What each of them buys, by their names; and a sentence for each algorithm with budgets that are too small."""
    sizes = {name: bought(name, stream) for one in algorithms for name in (named(one, time) for time in times)}
    small: dict[str, list[str]] = {}
    for name, size in sizes.items():
        if size is None:
            algorithm, budget = split(name)
            small.setdefault(algorithm, []).append(str(budget))
    told = [
        f"Skipped on {stream.name}: {one} at {', '.join(some)}, too small for any model of it here."
        for one, some in small.items()
    ]
    return {name: size for name, size in sizes.items() if size is not None}, told
