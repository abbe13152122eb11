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

ROUNDED = 1 + 1e-9  # the smallest budget, as it is told, is one that works


class Spared(NamedTuple):
    """What is left free, since rows of a stream are not those that were measured, nor alone on the machine."""

    part: float  # of the budget,
    further: float = 0.0  # and so much more of a small one,
    seconds: float = 0.0  # which is no more than that

    def smallest(self, seconds: float) -> float:
        """The budget in which a round has so much time."""
        return min(seconds / (1.0 - self.part - self.further), (seconds + self.seconds) / (1.0 - self.part))


NEARLY = 7 / 8  # of the pairs that there may be: so many are given for a further scout
# What is measured plays without a pause; single rows come between other work, which takes caches from them, and one in
# a hundred is interrupted, for as long whatever it takes itself. Beside a fit they may take most of what is spared
# otherwise.
IN_BATCHES, FOR_ROWS, BESIDE_FITS = Spared(0.15), Spared(0.2, 0.15, 15e-6), Spared(0.1, 0.1, 10e-6)


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
    if most > fewest:
        more = _scouts(usable, Use(sized.most, fewest, memories, companions))
        yield Stretch(more.steps - 1, lambda i: more.use(i + 1))


def choose(costs: Costs, usable: Usable, budget: float) -> Chosen:
    """The last use on the way whose mean and 99th percentile fit, with a part of the budget spared.

    Where memories or companions do not fit, there is time left: it buys pairs. Where a further scout does not fit, it
    does with a few pairs less. Where single rows have fits beside them, there are as many pairs as these have time for,
    and what is left in all other rows buys scouts.
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
    further = _one_more(usable, best)
    if further is not None and fits(further.use(0)):
        best, capped = further.use(_last(further, fits)), False
    elif best.size == usable.sized.usual and not capped:
        pairs = _pairs(usable, best)
        best = pairs.use(_last(pairs, fits))
    if not fits_beside(best):
        fewer = _fewer(usable, best)
        more = _scouts(usable, fewer.use(_last(fewer, fits_beside)))
        best, capped = more.use(_last(more, lambda use: fits(use) and fits_beside(use))), False
    return Chosen(best, capped)


def _smallest(costs: Costs, usable: Usable, use: Use) -> float:
    """The smallest budget that a use fits, if it has as few pairs as there may be where rows have fits beside them."""
    spared = FOR_ROWS if costs.rows == 1 else IN_BATCHES
    usual = spared.smallest(max(costs.seconds(use, usable.sized.x(use.size))))
    return max(usual, _beside_a_fit(costs, usable, _fewer(usable, use).use(0)))


def _beside_a_fit(costs: Costs, usable: Usable, use: Use) -> float:
    """The same for rows beside a fit."""
    if not usable.fits:
        return 0.0
    sizes = use.size, first_pairs(min(usable.sized.usual, use.size))
    return BESIDE_FITS.smallest(costs.beside_a_fit(use, *(usable.sized.x(size) for size in sizes)))


def _pairs(usable: Usable, use: Use) -> Stretch:
    """Beyond the usual ones."""
    own = usable.sized
    return Stretch((own.most - own.usual) // own.step, lambda i: use._replace(size=own.usual + i * own.step))


def _scouts(usable: Usable, use: Use) -> Stretch:
    """From its own number of hypotheses on. Others are whole: no call has more of them than another, which the 99th
    percentile would have to allow."""
    whole = (float(n) for n in range(math.floor(usable.fewest) + 1, math.ceil(usable.most)))
    counts = [usable.fewest, *whole, usable.most] if usable.most > usable.fewest else [usable.fewest]
    return Stretch(len(counts) - 1, lambda i: use._replace(hypotheses=counts[i]))


def _one_more(usable: Usable, use: Use) -> Stretch | None:
    """One scout more than what has everything else, with nearly all pairs."""
    scouts, own = _scouts(usable, use), usable.sized
    more = [n for n in (scouts.use(i).hypotheses for i in range(scouts.steps + 1)) if n > use.hypotheses]
    least = math.ceil(NEARLY * own.most / own.step) * own.step
    whole = use.size == own.most and (use.memories, use.companions) == (usable.memories, usable.companions)
    if not more or not whole:
        return None
    return Stretch(
        (own.most - least) // own.step, lambda i: use._replace(size=least + i * own.step, hypotheses=more[0])
    )


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
