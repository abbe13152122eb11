"""The best use of a budget: a way from the smallest model to the largest, as far as the time of a round allows.

What is dropped as budgets become smaller is read from the end: scouts, pairs beyond the usual ones, companions,
memories, and at last pairs; docs/budget.md has what each of them was worth.
"""

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

from kernelpick.budget.costs import Costs, Use
from kernelpick.budget.sizes import Sized
from kernelpick.online.preparation import first_pairs

# Of the budget: rows of a stream are not those that were measured. What is measured plays without a pause; single rows
# come between other work, which takes caches from them. Beside a fit that is allowed to take what is spared otherwise.
SPARED, SPARED_FOR_ROWS = 0.1, 0.25
ROUNDED = 1 + 1e-9  # the smallest budget, as it is told, is one that works


class Usable(NamedTuple):
    """What an algorithm can make use of."""

    sized: Sized
    fewest: float  # hypotheses in a round
    most: float
    memories: bool
    companions: bool
    fits: bool = False  # single rows have fits beside them


class Chosen(NamedTuple):
    use: Use
    capped: bool  # there is nothing larger


class TooSmallError(ValueError):
    """Not even the smallest model fits."""

    def __init__(self, smallest: float) -> None:
        super().__init__(f"The smallest model takes {smallest} s.")
        self.smallest = smallest  # budget, in seconds, that is large enough


class Stretch(NamedTuple):
    """A part of the way: so many steps, each of which costs more than the one before."""

    steps: int
    use: Callable[[int], Use]


def stretches(usable: Usable) -> Iterator[Stretch]:
    """The way."""
    sized, fewest, most, memories, companions, _ = usable
    yield Stretch((sized.usual - sized.fewest) // sized.step, lambda i: Use(sized.fewest + i * sized.step, fewest))
    if memories:
        yield Stretch(0, lambda i: Use(sized.usual, fewest, True))
    if companions:
        yield Stretch(0, lambda i: Use(sized.usual, fewest, memories, True))
    if sized.most > sized.usual:
        yield _pairs(usable, Use(sized.usual, fewest, memories, companions))
    # Whole numbers of hypotheses: no call has more of them than another, which the 99th percentile would have to allow.
    counts = [*(float(n) for n in range(math.floor(fewest) + 1, math.ceil(most))), most] if most > fewest else []
    if counts:
        yield Stretch(len(counts) - 1, lambda i: Use(sized.most, counts[i], memories, companions))


def choose(costs: Costs, usable: Usable, budget: float) -> Chosen:
    """The last use on the way whose mean and 99th percentile fit, with a part of the budget spared.

    Where memories or companions do not fit, there is time left: it buys pairs. Where single rows have fits beside them,
    there are as many pairs as these have time for.
    """

    def fits(use: Use) -> bool:
        return _smallest(costs, usable, use) <= budget * ROUNDED

    def fits_beside(use: Use) -> bool:
        return _beside_a_fit(costs, usable, use) <= budget * ROUNDED

    best, capped = None, True
    for stretch in stretches(usable):
        if not fits(stretch.use(0)):
            capped = False
            break
        last = _last(stretch, fits)
        best, capped = stretch.use(last), last == stretch.steps
        if not capped:
            break
    if best is None:
        raise TooSmallError(_smallest(costs, usable, Use(usable.sized.fewest, usable.fewest)))
    if best.size == usable.sized.usual and not capped:
        pairs = _pairs(usable, best)
        best = pairs.use(_last(pairs, fits))
    if not fits_beside(best):
        fewer = _fewer(usable, best)
        best, capped = fewer.use(_last(fewer, fits_beside)), False
    return Chosen(best, capped)


def _smallest(costs: Costs, usable: Usable, use: Use) -> float:
    """The smallest budget that a use fits, if it has as few pairs as there may be where rows have fits beside them."""
    usual = max(costs.seconds(use, usable.sized.x(use.size))) / (1.0 - (SPARED_FOR_ROWS if costs.rows == 1 else SPARED))
    return max(usual, _beside_a_fit(costs, usable, _fewer(usable, use).use(0)))


def _beside_a_fit(costs: Costs, usable: Usable, use: Use) -> float:
    """The same for rows beside a fit, which get the budget but for what is spared everywhere."""
    if not usable.fits:
        return 0.0
    sizes = use.size, first_pairs(min(usable.sized.usual, use.size))
    return costs.beside_a_fit(use, *(usable.sized.x(size) for size in sizes)) / (1.0 - SPARED)


def _pairs(usable: Usable, use: Use) -> Stretch:
    """Beyond the usual ones."""
    own = usable.sized
    return Stretch((own.most - own.usual) // own.step, lambda i: use._replace(size=own.usual + i * own.step))


def _fewer(usable: Usable, use: Use) -> Stretch:
    """From as many as the usual ones begin with."""
    step, least = usable.sized.step, min(use.size, first_pairs(usable.sized.usual))
    return Stretch((use.size - least) // step, lambda i: use._replace(size=least + i * step))


def _last(stretch: Stretch, fits: Callable[[Use], bool]) -> int:
    """The last step that fits, as the first does, by halving."""
    low, high = 0, stretch.steps
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(stretch.use(middle)) else (low, middle - 1)
    return low
