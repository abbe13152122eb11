"""The plan of an estimator that has a time budget: its parameters with the sizes that the budget has room for."""

import warnings
from typing import Any

from kernelpick import parameters
from kernelpick.budget import parse
from kernelpick.budget.batches import BATCHES
from kernelpick.budget.calibration import Learner, costs_for
from kernelpick.budget.choose import Chosen, TooSmallError, choose
from kernelpick.budget.costs import Use
from kernelpick.budget.measure import Way
from kernelpick.budget.sizes import MOST_ORDER
from kernelpick.online.plan import Plan

SMALLER = {"auto": {"size": "tiny"}}  # what takes the place of an algorithm that does not fit at its smallest


class TooSmallBudget(ValueError):
    """No model fits; the sentence names the smallest budget that works here."""


def plan(
    params: dict[str, Any],
    classifies: bool,
    n_inputs: int,
    n_columns: int | None = None,
    *,
    n_outputs: int,
    seed: int,
    way: Way = BATCHES,
) -> Plan:
    """As `parameters.plan`, with a size to be chosen where there is a budget. n_columns: all inputs of a first row."""
    if params["time_budget"] is not None:
        params = params | sizes(params, classifies, max(n_inputs, n_columns or 0), n_outputs, way)
    return parameters.plan(params, classifies, n_inputs, n_outputs, seed)


def sizes(
    params: dict[str, Any], classifies: bool, n_inputs: int, n_outputs: int, way: Way = BATCHES
) -> dict[str, Any]:
    """The parameters that a budget decides."""
    budget = parse.seconds(params["time_budget"])
    if params["n_features"] is not None:
        raise ValueError("n_features and time_budget both decide the size of a model: give one of them, not both.")
    algorithm = params["algorithm"] if params["size"] == "full" else None
    smaller = SMALLER.get(algorithm) if isinstance(algorithm, str) else None
    try:
        return _chosen(params, budget, Learner(params, classifies, n_inputs, n_outputs), way)
    except TooSmallError as problem:
        small = problem.smallest
    if smaller is not None:
        try:
            return smaller | _chosen(
                params | smaller, budget, Learner(params | smaller, classifies, n_inputs, n_outputs), way
            )
        except TooSmallError as problem:
            small = min(small, problem.smallest)
    calls = (
        " Calls from Python take most of that: smaller budgets are for batches, which kernelpick.KernelRegressor and "
        "KernelClassifier, trace and `kernelpick run` play."
    )
    raise TooSmallBudget(
        f"time_budget={params['time_budget']!r} is too small for {params['algorithm']} with {n_inputs} columns: the "
        f"smallest that works here is {parse.rounded_up(small)!r}.{calls if way.rows == 1 else ''}"
    )


def _chosen(params: dict[str, Any], budget: float, learner: Learner, way: Way) -> dict[str, Any]:
    limits, costs = learner.limits(), costs_for(learner, way)
    use, capped = chosen = choose(costs, limits, budget)
    if capped:
        takes = costs.seconds(use, limits.sized.x(use.size)).high
        warnings.warn(
            f"time_budget={params['time_budget']!r} is more than {params['algorithm']} can use: "
            f"{_most(chosen, learner)}, which takes {parse.words(takes)} at the 99th percentile.",
            UserWarning,
            stacklevel=2,
        )
    return told(use, learner)


def told(use: Use, learner: Learner) -> dict[str, Any]:
    """A use of the budget as parameters of an estimator."""
    limits = learner.limits()
    out: dict[str, Any] = {limits.sized.parameter: use.size}
    if limits.most > 1.0:
        out["hypotheses"] = use.hypotheses
    if limits.memories and not use.memories:
        out["forgetting"] = 1.0
    if limits.companions and not use.companions:
        out["companions"] = ()
    return out


def size_text(told: dict[str, Any], params: dict[str, Any]) -> str:
    """Sizes that were chosen for such parameters, in words.

    >>> both = {"forgetting": "auto", "companions": "auto"}
    >>> size_text({"n_features": 160, "hypotheses": 1.3, "companions": ()}, both)
    '160 frequencies, 1.3 hypotheses, memories'
    """
    number, what = (told["budget"], "examples") if "budget" in told else (told["n_features"], "frequencies")
    parts = ["tiny"] * ("size" in told) + [f"{number:,} {what}"]
    if "hypotheses" in told:
        parts.append(f"{told['hypotheses']:g} hypotheses")
        given = params | told
        parts += ["memories"] * (given["forgetting"] == "auto") + ["companions"] * (given["companions"] == "auto")
    return ", ".join(parts)


def _most(chosen: Chosen, learner: Learner) -> str:
    """What the largest model is."""
    limits, use = learner.limits(), chosen.use
    what = {"n_features": "random features", "budget": "stored examples"}[limits.sized.parameter]
    matrices = f", so that matrices have the order {MOST_ORDER:,}," if limits.sized.degree == 2 else ""
    scouts = " and all hypotheses in every round" if limits.most > 1.0 else ""
    return f"its largest model has {use.size:,} {what}{matrices}{scouts}"
