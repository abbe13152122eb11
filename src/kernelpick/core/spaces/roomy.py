"""Exact hypotheses that may all take up an example in one round, whoever plays (B(AO)2KS)."""

from typing import Any

from kernelpick.core.spaces import space
from kernelpick.core.spaces.exact import Examples


@space("roomy", projects=True, restarts=False, linear=False)
class Roomy(Examples):
    """As Examples, with a free tile for every arm and one more for who learns before each round."""

    __slots__ = ()

    @staticmethod
    def has_room(space: Any, players: int) -> bool:
        return space.used[0] + len(space.chains) + players <= len(space.tiles)
