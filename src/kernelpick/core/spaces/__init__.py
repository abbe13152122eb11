"""How a hypothesis is held. A space is a named tuple of arrays; these are the operations asked of it.

Facts: ``projects``, whether hypotheses can be kept in a ball; ``orthogonal``, whether its frequencies are by default;
``spectral``, whether it needs kernels with random features; ``restarts``, whether a hypothesis can start afresh;
``linear``, whether hypotheses are linear in features; ``block``, the number of rows that are looked ahead;
``common``, whether all arms are one hypothesis, as ``is_shared`` says; ``count(problem)``, the weights of one output of
a hypothesis, 0 where they are not of a fixed number.
"""

from typing import Any

import numpy as np

from kernelpick.core.numerics.compilation import making_operation, operation
from kernelpick.core.parts import Contract, declare, with_operations
from kernelpick.core.rounds import SHORT_BLOCK, At


@making_operation
def workspace(space: Any, rows: int, players: int) -> Any:
    """Scratch arrays for a call with that many rows and players in a round; nothing in them outlives the call."""


@operation
def block_size(space: Any) -> int:
    """The number of rows that are looked ahead. Blocks begin at rounds that are multiples of it."""


@operation
def look_ahead(space: Any, work: Any, X: np.ndarray, start: int, stop: int) -> None:
    """Get ready for rows start .. stop - 1 of X, at most block_size of them, in whatever does not depend on labels."""


@operation
def evaluate(space: Any, work: Any, at: At, values: np.ndarray) -> None:
    """values[arm, m] = what output m of the hypothesis says to the row."""


@operation
def step(space: Any, work: Any, at: At, values: np.ndarray, steps: np.ndarray, shrink: float) -> None:
    """Hypothesis <- shrink * hypothesis - steps[m] * kernel(row, .) for every output m, then the projection.

    It follows an evaluate of the same row and arm, whose values are in values.
    """


@operation
def coordinates(space: Any, work: Any, at: At, Z: np.ndarray, z: int, to: int) -> None:
    """Z[z, to] = the features of the row that the hypothesis is linear in, then zeros."""


@operation
def squared_norm(space: Any, arm: int) -> float:
    """The squared norm of the hypothesis, summed over its outputs."""


@operation
def self_kernel(space: Any, at: At) -> float:
    """k(x, x) of the arm's kernel at the row."""


@operation
def is_shared(space: Any) -> bool:
    """Whether all arms are one hypothesis, on which each kernel puts its own values."""


@operation
def has_room(space: Any, players: int) -> bool:
    """Whether that many players can learn from one more row."""


OPERATIONS = (
    workspace, block_size, look_ahead, evaluate, step, coordinates, squared_norm, self_kernel, is_shared, has_room,
)  # fmt: skip
CONTRACT = Contract(
    "space",
    {operation.__name__: operation for operation in OPERATIONS},  # type: ignore[attr-defined]
    {
        "projects": False,
        "orthogonal": False,
        "spectral": False,
        "single": False,
        "structured": None,
        "restarts": True,
        "linear": True,
        "common": False,
        "block": SHORT_BLOCK,
    },
)


def space(name: str, **facts: Any) -> Any:
    """Declare a space by its name, with facts about it."""
    block = facts.get("block", SHORT_BLOCK)

    def block_size(space: Any) -> int:
        return block  # type: ignore[no-any-return]

    def declared(cls: Any) -> Any:
        return declare(CONTRACT, name, facts)(with_operations(cls, block_size))

    return declared
