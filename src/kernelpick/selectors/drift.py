"""Has the leader become worse? A cumulative sum over its mean loss, block by block (Page, 1954)."""

import math

import numpy as np

from ..compilation import inner

MEAN, SQUARE, SUM, COUNT, BLOCK_LOSS = range(5)
MEMORY = 50.0  # blocks over which mean and deviation are taken
WARM_UP = 16.0  # blocks before the first alarm
SLACK, LIMIT, CAP = (
    0.5,
    8.0,
    4.0,
)  # in standard deviations: what is ignored a block, what alarms, the most a block counts


@inner
def watch(drift: np.ndarray, x: float) -> bool:
    """x is the mean of the square roots of the leader's losses in a block. True: it has become worse."""
    alarm = False
    if drift[COUNT] >= WARM_UP:
        deviation = math.sqrt(max(drift[SQUARE] - drift[MEAN] * drift[MEAN], 1e-12 * drift[SQUARE]))
        z = (x - drift[MEAN]) / deviation if deviation > 0.0 else 0.0
        drift[SUM] = min(max(0.0, drift[SUM] + min(z, CAP) - SLACK), 2.0 * LIMIT)
        alarm = drift[SUM] > LIMIT
        x = min(x, drift[MEAN] + CAP * deviation)
    drift[COUNT] = min(drift[COUNT] + 1.0, MEMORY)
    drift[MEAN] += (x - drift[MEAN]) / drift[COUNT]
    drift[SQUARE] += (x * x - drift[SQUARE]) / drift[COUNT]
    return alarm
