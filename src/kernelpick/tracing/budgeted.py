"""The sizes of a run that has a time budget: those of an estimator in batches that does the same."""

from typing import Any

from kernelpick import parameters
from kernelpick.core.losses import LOSSES
from kernelpick.core.messages import choice
from kernelpick.core.specification import algorithm_of

# What `trace` does not have, as estimators have it.
OTHERS = {
    **dict.fromkeys(("radius", "step_scale", "horizon", "class_weight")),
    "companions": (),
    "size": "full",
}


def sizes_for(given: dict[str, Any], n_inputs: int) -> dict[str, Any]:
    """Arguments of `trace` with the sizes that fit; what measures them is loaded when there is a budget."""
    from kernelpick.budget import planned

    loss, fits = given["loss"], bool(algorithm_of(given["algorithm"]).fits)
    classifies = (LOSSES[choice("loss", loss, LOSSES)] if isinstance(loss, str) else loss).classifies
    scales = {"scale": "standard" if fits else None, "scale_target": fits and not classifies}
    params = given | OTHERS | scales
    bought = planned.sizes(params, classifies, n_inputs, 1)
    told = given | bought | {"text": planned.size_text(bought, params)}
    return told | {"algorithm": parameters.sized(told["algorithm"], told.get("size", "full"))}
