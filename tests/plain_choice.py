"""What a budget buys, by a plain search over all uses of it."""

import itertools
import math

from kernelpick.budget.costs import Use


def plain_beside(costs, usable, use):
    """A row beside the last of the first fits, as docs/budget.md tells it."""
    half = min(use.size, usable.sized.usual)
    half = max(-(-half // 16) * 8, min(half, 16))
    x, before = (2 * size + 1 + usable.sized.inputs for size in (use.size, half))
    fixed, linear, square, *_ = costs.high
    taken = 1.75 * fixed + linear * before + square * before**2
    taken += max(2, int(use.hypotheses) - 1) * (linear * x + square * x**2)
    return taken + costs.memories.high * use.memories + 2 * costs.companions.high * use.companions


def plain_choice(costs, usable, budget):
    """Walk all uses in the order of docs/budget.md, and stop before the first that does not fit; then take pairs away
    as long as a row beside a fit takes more than nine tenths but for 10 us (eight tenths of less than 100 us), and let
    more play where all rows have time for it.
    """
    if usable.fits:
        least, beside = -(-usable.sized.usual // 16) * 8, 0.9 * budget - min(0.1 * budget, 10e-6)
        found = plain_choice_of(costs, usable, budget, lambda use: plain_beside(
            costs, usable, use._replace(size=min(use.size, least))) <= beside)  # fmt: skip
        if found is None:
            return None
        use, capped = found
        if plain_beside(costs, usable, use) <= beside:
            return use, capped
        while plain_beside(costs, usable, use) > beside:
            use = use._replace(size=use.size - 8)
        fewest, most = usable.fewest, usable.most
        for n in [*range(math.floor(fewest) + 1, math.ceil(most)), most] if most > fewest else []:
            more = use._replace(hypotheses=float(n))
            takes = max(costs.seconds(more, usable.sized.x(more.size)))
            if takes > plain_time(costs, budget) or plain_beside(costs, usable, more) > beside:
                break
            use = more
        return use, False
    return plain_choice_of(costs, usable, budget)


def plain_time(costs, budget):
    """What a round may take."""
    return 0.8 * budget - min(0.15 * budget, 15e-6) if costs.rows == 1 else 0.85 * budget


def plain_choice_of(costs, usable, budget, may=lambda use: True):
    budget = plain_time(costs, budget)
    sizes = range(16, usable.sized.usual + 1, 8)
    way = [Use(size, usable.fewest) for size in sizes]
    if usable.memories:
        way.append(Use(usable.sized.usual, usable.fewest, True))
    if usable.companions:
        way.append(Use(usable.sized.usual, usable.fewest, usable.memories, True))
    beside = usable.memories, usable.companions
    way += [Use(size, usable.fewest, *beside) for size in range(usable.sized.usual, usable.sized.most + 1, 8)]
    way += [Use(usable.sized.most, float(n), *beside) for n in range(1, 9) if usable.fewest < n <= usable.most]

    def fits(use):
        return max(costs.seconds(use, usable.sized.x(use.size))) <= budget and may(use)

    fitting = list(itertools.takewhile(fits, way))
    if not fitting or len(fitting) == len(way):
        return (fitting[-1], True) if fitting else None
    last, most = fitting[-1], usable.sized.most
    if last.size == most and last[2:] == beside:  # a scout more, with an eighth of the pairs less at most
        n = min([float(n) for n in range(1, 9) if last.hypotheses < n <= usable.most], default=last.hypotheses)
        scouts = [last._replace(size=size, hypotheses=n) for size in range(8, most + 1, 8) if 8 * size >= 7 * most]
        last = [last, *(use for use in scouts if fits(use))][-1]
    if last.size == usable.sized.usual:
        last = [last._replace(size=size) for size in range(last.size, most + 1, 8) if fits(last._replace(size=size))][
            -1
        ]
    return last, False
