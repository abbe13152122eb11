"""Has the leader become worse? A cumulative sum over its mean loss, block by block (Page, 1954)."""

import math
from typing import Any

import numpy as np

from kernelpick.core.numerics.compilation import inner

FIELDS = np.dtype([(name, "f8") for name in ("mean", "square", "sum", "count", "block_loss")])
BLOCKS = 50.0  # blocks over which mean and deviation are taken
WARM_UP = 16.0  # blocks before the first alarm
SLACK, LIMIT, CAP = 0.5, 8.0, 4.0  # standard deviations: what is ignored a block, what alarms, the most a block counts


@inner
def watch(drift: Any, x: float) -> bool:
    """x is the mean of the square roots of the leader's losses in a block. True: it has become worse."""
    alarm = False
    if drift["count"] >= WARM_UP:
        variance = max(drift["square"] - drift["mean"] * drift["mean"], 1e-12 * drift["square"])
        deviation = math.sqrt(variance)
        z = (x - drift["mean"]) / deviation if deviation > 0.0 else 0.0
        drift["sum"] = min(max(0.0, drift["sum"] + min(z, CAP) - SLACK), 2.0 * LIMIT)
        alarm = drift["sum"] > LIMIT
        x = min(x, drift["mean"] + CAP * deviation)
    drift["count"] = min(drift["count"] + 1.0, BLOCKS)
    drift["mean"] += (x - drift["mean"]) / drift["count"]
    drift["square"] += (x * x - drift["square"]) / drift["count"]
    return alarm


@inner
def forget(drift: Any) -> None:
    """As if nothing had been watched."""
    drift["mean"], drift["square"], drift["sum"] = 0.0, 0.0, 0.0
    drift["count"], drift["block_loss"] = 0.0, 0.0
