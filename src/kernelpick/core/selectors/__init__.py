"""Who plays a round. A selector is a named tuple of rates and arrays; these are the operations asked of it.

Every selector has ``p``, the probabilities of the next round, or the weights of the arms. The loss estimates so far are
in the ledger; a selector that goes by others has them as ``estimates`` (K,), of which only differences
count, and returns True from ``select`` when the arm with the largest p is another one.

Facts: ``drawn``, how many arms are drawn in a round, at most (not said: any number; or none, where all play, or where
who plays follows from the state and ``speaker`` tells who speaks); ``shown``, how many of the drawn a trace has as its
arms (1: who spoke); ``by_p``, whether one arm is drawn, by p; ``numbers``, how many random numbers of a round are its
own, the first ones; ``plays_all``, whether the prediction is common to all arms; ``needs_smooth``, ``uses_horizon`` as
for learners; ``restarts``, whether hypotheses start afresh; ``compounds_widths`` and ``follows_margin(loss)``, where
the published experiments depart from the paper; ``count_seats(problem)``, how many arms take part at a time;
``first_learns``, whether the first player of a round does, the only one that can on a shared space;
``needs_forgetting``, whether one of the arms at least must forget.
"""

from typing import Any

import numpy as np

from kernelpick.core.numerics.compilation import woven_operation
from kernelpick.core.parts import Contract, declare
from kernelpick.core.rounds import Cast, Ledger, Trial


@woven_operation
def draw(selector: Any, numbers: np.ndarray, cast: Cast) -> int:
    """Fill the cast with those who play, decided by the numbers in [0, 1); how many they are."""


@woven_operation
def appraise(selector: Any, cast: Cast, count: int, trial: Trial, costs: np.ndarray) -> None:
    """costs[arm]: what the round costs each player that is charged."""


@woven_operation
def select(selector: Any, cast: Cast, count: int, trial: Trial, costs: np.ndarray, ledger: Ledger) -> bool:
    """New probabilities, after the ledger has taken in the round; True for a turn: hypotheses start afresh, or, with
    estimates of its own, somebody else leads."""


def _all_seats(problem: Any) -> int:
    return int(problem.arms)


def _never(loss: Any) -> bool:
    return False


OPERATIONS = (draw, appraise, select)
CONTRACT = Contract(
    "selector",
    {operation.__name__: operation for operation in OPERATIONS},  # type: ignore[attr-defined]
    {
        "drawn": None,
        "shown": 1,
        "by_p": False,
        "speaker": None,
        "numbers": 1,
        "plays_all": False,
        "needs_smooth": False,
        "uses_horizon": False,
        "restarts": False,
        "first_learns": True,
        "needs_forgetting": False,
        "compounds_widths": False,
        "follows_margin": staticmethod(_never),
        "count_seats": staticmethod(_all_seats),
    },
)


def selector(name: str, **facts: Any) -> Any:
    """Declare a selector by its name, with facts about it."""
    return declare(CONTRACT, name, facts)
