"""The plan of an estimator that has a time budget: its parameters with the sizes that the budget has room for."""

from dataclasses import replace
from typing import Any

from kernelpick import parameters
from kernelpick.budget import parse
from kernelpick.budget.batches import BATCHES
from kernelpick.budget.calibration import Unsized, costs_for, evenly
from kernelpick.budget.choose import TooSmallError, choose
from kernelpick.budget.costs import Use
from kernelpick.budget.measure import Way
from kernelpick.budget.rehearsal import rehearse
from kernelpick.budget.sizes import MOST_ORDER
from kernelpick.core.kernels.frequencies import STRUCTURED
from kernelpick.core.specification import algorithm_of
from kernelpick.online.plan import Plan
from kernelpick.online.warning import warn

USUAL_BUDGETS = (200, 500)  # of `trace` and of estimators, where nobody asks for another one
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
    if params["time_budget"] is None:
        return parameters.plan(params, classifies, n_inputs, n_outputs, seed)
    width, fixed = max(n_inputs, n_columns or 0), n_columns is None
    params = params | sizes(params, classifies, width, n_outputs, way, fixed)
    found = evenly(parameters.plan(params, classifies, n_inputs, n_outputs, seed), way.rows)
    if found.specification.row.fits:
        found = replace(found, features=found.specification.n_features, columns=width)
    rehearse(found, way)
    return found


def sizes(
    params: dict[str, Any],
    classifies: bool,
    n_inputs: int,
    n_outputs: int,
    way: Way = BATCHES,
    fixed: bool = True,
) -> dict[str, Any]:
    """The parameters that a budget decides; fixed: no column comes later, for which structured frequencies have no
    room."""
    budget = parse.seconds(params["time_budget"])
    if params["n_features"] is not None:
        raise ValueError("n_features and time_budget both decide the size of a model: give one of them, not both.")
    if params["budget"] not in USUAL_BUDGETS:
        both = "budget, the number of stored examples, and time_budget both decide the size of a model"
        raise ValueError(f"{both}: give one of them, not both.")
    smaller = SMALLER.get(params["algorithm"]) if params["size"] == "full" and _is_name(params) else None
    smallest = []
    for instead in ({}, smaller) if smaller else ({},):
        try:
            unsized = Unsized(params | instead, classifies, n_inputs, n_outputs, way.rows)
            kinds = (unsized, unsized.structured() if fixed else None)
            return instead | _chosen([one for one in kinds if one is not None], budget, way, warns=not instead)
        except TooSmallError as problem:
            smallest.append(problem.smallest)
    calls = (
        " Calls from Python take most of that: smaller budgets are for batches, which kernelpick.KernelRegressor and "
        "KernelClassifier, trace and `kernelpick run` play."
    )
    raise TooSmallBudget(
        f"time_budget={params['time_budget']!r} is too small for {params['algorithm']} with {n_inputs} columns: the "
        f"smallest that works here is {parse.rounded_up(min(smallest))!r}, by a measurement that is kept; "
        f"`kernelpick calibrate --again` measures anew.{calls if way.rows == 1 else ''}"
    )


def _is_name(params: dict[str, Any]) -> bool:
    return isinstance(params["algorithm"], str)


def _chosen(candidates: list[Unsized], budget: float, way: Way, warns: bool) -> dict[str, Any]:
    """The size of that one which can be the largest, and what else it is; of equals, that which takes less time."""
    found, smallest = [], []
    each = way._replace(seconds=way.seconds / len(candidates))  # together they take as long as one
    for one in candidates:
        try:
            costs, usable = costs_for(one, each), one.usable()
            use, capped = choose(costs, usable, budget)
            found.append((one, use, capped, costs.seconds(use, usable.sized.x(use.size))))
        except TooSmallError as problem:
            smallest.append(problem.smallest)
    if not found:
        raise TooSmallError(min(smallest))
    unsized, use, capped, takes = max(found, key=lambda one: (one[1].size, -one[3].mean))
    if capped and warns:
        warn(
            f"time_budget={unsized.params['time_budget']!r} is more than {unsized.params['algorithm']} can use: "
            f"{_most(use, unsized)}, which takes {parse.words(takes.high)} at the 99th percentile."
        )
    return told(use, unsized)


def told(use: Use, unsized: Unsized) -> dict[str, Any]:
    """A use of the budget as parameters of an estimator."""
    usable = unsized.usable()
    out: dict[str, Any] = {usable.sized.parameter: use.size}
    if unsized.params["orthogonal"] == STRUCTURED:
        out["orthogonal"] = STRUCTURED
    if usable.most > 1.0:
        out["hypotheses"] = use.hypotheses
    if usable.memories and not use.memories:
        out["forgetting"] = 1.0
    if usable.companions and not use.companions:
        out["companions"] = ()
    return out


def size_text(told: dict[str, Any], params: dict[str, Any]) -> str:
    """Sizes that were chosen for such parameters, in words.

    >>> asked = {"algorithm": "auto", "size": "full", "forgetting": "auto", "companions": "auto"}
    >>> size_text({"n_features": 160, "hypotheses": 1.3, "companions": ()}, asked)
    '160 frequencies, 1.3 hypotheses, memories'
    >>> size_text({"n_features": 16, "hypotheses": 8.0, "size": "tiny"}, asked)
    'tiny, 16 frequencies, 8 hypotheses'
    """
    number, what = (told["budget"], "examples") if "budget" in told else (told["n_features"], "frequencies")
    what = f"{STRUCTURED} {what}" if told.get("orthogonal") == STRUCTURED else what
    parts = ["tiny"] * ("size" in told) + [f"{number:,} {what}"]
    if "hypotheses" in told:
        parts.append(f"{told['hypotheses']:g} hypotheses")
    given = params | told
    row = algorithm_of(parameters.sized(given["algorithm"], given["size"]))
    if row.fits and row.size.beside:
        parts += ["memories"] * (given["forgetting"] == "auto") + ["companions"] * (given["companions"] == "auto")
    return ", ".join(parts)


def size_of(estimator: Any) -> str:
    """The size of an estimator's model, in the same words."""
    model, params = estimator._fitted, {name: getattr(estimator, name) for name in ("algorithm", "size")}
    spec, plan = model.spec, model.plan
    told = {"n_features": plan.features or spec.n_features} if spec.row.space.spectral else {"budget": spec.budget}
    told |= {"hypotheses": spec.hypotheses} if "hypotheses" in spec.row.selector._fields else {}
    told |= {"size": "tiny"} if params["size"] == "full" and spec.algorithm == parameters.sized("auto", "tiny") else {}
    beside = {"forgetting": "auto" if plan.memories else 1.0, "companions": "auto" if plan.companions else ()}
    return size_text(told, params | beside)


def _most(use: Use, unsized: Unsized) -> str:
    """What the largest model is."""
    usable = unsized.usable()
    what = {"n_features": "random features", "budget": "stored examples"}[usable.sized.parameter]
    large = usable.sized.degree == 2 and not algorithm_of(unsized.algorithm).size.compact
    matrices = f", so that matrices have the order {MOST_ORDER:,}" if large else ""
    scouts = f"{',' * large} and all hypotheses in every round" if usable.most > 1.0 else ""
    return f"its largest model has {use.size:,} {what}{matrices}{scouts}"
