"""From the parameters of an estimator, which are words and may be wrong, to the plan of a model."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from kernelpick.columns.stream import POLICIES
from kernelpick.core.companions import companion_of
from kernelpick.core.kernels import Kernel
from kernelpick.core.kernels.gaussian import Gaussian
from kernelpick.core.losses import LOSSES
from kernelpick.core.messages import choice, positive
from kernelpick.core.specification import DEFAULT_WIDTHS, Specification, algorithm_of
from kernelpick.online.companions import USUAL
from kernelpick.online.plan import Plan
from kernelpick.online.statistics import SCALES
from kernelpick.online.target_scale import WAYS

# Radius of the ball of hypotheses, for targets of standard deviation 1. The paper's values, 15 for the logistic loss
# and 1 for all others, belong to targets in [0, 1].
SIZES = ("full", "small", "tiny")
RADIUS = {"logistic": 15.0}
OTHER_RADIUS = 10.0
SPECIFIED = (
    "loss", "budget", "step_scale", "settings", "horizon", "orthogonal", "hypotheses", "precision",
)  # fmt: skip


def plan(params: dict[str, Any], classifies: bool, n_inputs: int, n_outputs: int, seed: int) -> Plan:
    """The plan for an estimator's parameters, checked."""
    loss = params["loss"]
    if isinstance(loss, str) or loss.classifies != classifies:
        choice("loss", loss, [name for name, known in LOSSES.items() if known.classifies == classifies])
    algorithm = sized(params["algorithm"], params["size"])
    row, radius, n_features = algorithm_of(algorithm), params["radius"], params["n_features"]
    if radius is None:
        radius = row.learner.usual_radius or RADIUS.get(loss if isinstance(loss, str) else loss.name, OTHER_RADIUS)
    values = {name: params[name] for name in SPECIFIED} | {
        "algorithm": algorithm,
        "forgetting": forgetting(params["forgetting"]),
        "kernels": kernels(params["kernels"]),
        "n_features": row.features_for(n_inputs) if n_features is None else n_features,
        "radius": radius,
        "n_inputs": n_inputs,
        "n_outputs": n_outputs,
        "random_state": seed,
    }
    spec = Specification(**values)
    return Plan(
        spec,
        auto_kernels=is_auto(params["kernels"]),
        scale=scale(params["scale"]),
        scale_target=bool(params.get("scale_target")),
        target_way=target_way(params.get("scale_target")),
        auto_features=n_features is None,
        balanced=classifies and is_balanced(params["class_weight"]),
        memories=bool(row.fits and row.size.beside and row.needs_smooth)
        and is_auto(params["forgetting"], "forgetting"),
        companions=companions(params["companions"], spec),
    )


def sized(algorithm: Any, size: Any) -> Any:
    """ "auto" in one of its sizes."""
    if choice("size", size, SIZES) == "full":
        return algorithm
    if algorithm != "auto":
        raise ValueError(f"size={size!r} belongs to algorithm='auto': leave it out, or take that algorithm.")
    return f"auto-{size}"


def companions(given: Any, spec: Specification) -> tuple[str, ...]:
    """The names of what predicts beside the kernels: "auto", or names and classes that were declared."""
    if isinstance(given, str):
        choice("companions (a list of names, or one of these)", given, ["auto"])
        return USUAL if spec.row.fits and spec.row.size.beside else ()
    if not isinstance(given, Iterable):
        raise ValueError(f"companions must be 'auto' or a list of companions, which may be empty, not {given!r}.")
    names = tuple(str(companion_of(one).name) for one in given)
    if len(set(names)) < len(names):
        raise ValueError(f"companions must differ from each other, and {', '.join(map(repr, names))} do not.")
    if names and spec.loss_row.smooth is None:
        raise ValueError(
            f"Companions are joined with kernels by a second-order stack, which needs a smooth loss, and "
            f"{spec.loss_row.name} is not: take another loss, or companions=()."
        )
    return names


def is_auto(given: Any, name: str = "kernels") -> bool:
    return isinstance(given, str) and choice(name, given, ["auto"]) == "auto"


def forgetting(given: Any) -> Any:
    """That of the leader: it forgets nothing where memories beside it do, nor where there is nobody to choose one."""
    return 1.0 if is_auto(given, "forgetting") else given


def kernels(given: Any) -> tuple[Kernel, ...]:
    """A sequence of kernels, or of numbers, which are widths of Gaussian ones; before "auto" has chosen, any."""
    if is_auto(given):
        given = DEFAULT_WIDTHS
    if isinstance(given, Kernel):
        given = [given]
    if not isinstance(given, Iterable):
        raise ValueError(f"kernels must be 'auto' or a list of kernels or of widths, not {given!r}.")
    return tuple(k if isinstance(k, Kernel) else Gaussian(positive("A width", k)) for k in given)


def scale(given: Any) -> str | None:
    """The name of a scaling; True stands for the default one."""
    if given is None or given is False:
        return None
    return "standard" if given is True else choice("scale", given, SCALES)


def target_way(given: Any) -> str | None:
    """How targets are scaled, where that is asked for."""
    return choice("scale_target", given, WAYS) if isinstance(given, str) else None


def is_balanced(class_weight: Any) -> bool:
    """Whether rows are weighed by how often their class has come; a dict of weights is the other kind that there is."""
    if isinstance(class_weight, dict):
        for label, weight in class_weight.items():
            positive(f"class_weight[{label!r}]", weight)
        return False
    if class_weight is None:
        return False
    if not isinstance(class_weight, str):
        raise ValueError(f"class_weight must be None, 'balanced' or a dict of numbers by label, not {class_weight!r}.")
    return choice("class_weight", class_weight, ["balanced"]) == "balanced"


def missing(given: Any) -> str | None:
    """What becomes of missing values; None leaves it to the kind of the input."""
    return None if given is None else choice("missing", given, POLICIES)


def seed(random_state: Any) -> int:
    """A seed from what scikit-learn allows: an integer, a generator to draw one from, or None for a fresh one."""
    if isinstance(random_state, int | np.integer) and not isinstance(random_state, bool):
        return int(random_state)
    from sklearn.utils import check_random_state

    return int(check_random_state(random_state).randint(2**31 - 1))
