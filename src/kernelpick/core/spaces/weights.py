"""What spaces have in common whose hypotheses are rows of weights, one each, of a fixed number."""

from typing import Any

from kernelpick.core.numerics.products import dot
from kernelpick.core.parts import with_operations


def holds_weights(cls: Any) -> Any:
    """Add the operations that only look at the weights."""

    def squared_norm(space: Any, arm: int) -> float:
        total = 0.0
        for m in range(space.weights.shape[1]):
            total += dot(space.weights, arm, m, space.weights[arm], m)
        return total

    def is_shared(space: Any) -> bool:
        return False

    def has_room(space: Any, players: int) -> bool:
        return True

    return with_operations(cls, squared_norm, is_shared, has_room)
