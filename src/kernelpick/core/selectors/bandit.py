"""What the selectors that draw one arm have in common: that arm alone predicts, and its loss is the cost."""

from typing import Any

import numpy as np

from kernelpick.core.parts import with_operations
from kernelpick.core.rounds import Cast, enlist
from kernelpick.core.selectors.appraisal import for_what_was_said
from kernelpick.core.selectors.weights import pick


def plays_one(cls: Any) -> Any:
    """Add the operations of a selector that draws one arm a round from its p."""

    def draw(selector: Any, numbers: np.ndarray, cast: Cast) -> int:
        arm = pick(selector.p, numbers[0])
        enlist(cast, 0, arm, selector.p[arm])
        return 1

    cls.drawn, cls.by_p = 1, "draw" not in vars(cls)
    if "appraise" not in vars(cls):
        cls.appraise = staticmethod(for_what_was_said)
    return with_operations(cls, draw)
