"""What a budget buys, by a plain search over all uses of it."""

import itertools

from kernelpick.budget.costs import Use


def plain_beside(costs, usable, use):
    """A row beside the last of the first fits, as docs/budget.md tells it."""
    half = min(use.size, usable.sized.usual)
    half = max(-(-half // 16) * 8, min(half, 16))
    x, before = (2 * size + 1 + usable.sized.inputs for size in (use.size, half))
    fixed, linear, square = costs.high
    taken = 1.75 * fixed + linear * before + square * before**2
    taken += max(2, int(use.hypotheses) - 1) * (linear * x + square * x**2)
    return taken + costs.memories.high * use.memories + 2 * costs.companions.high * use.companions


def plain_choice(costs, usable, budget):
    """Walk all uses in the order of docs/budget.md, and stop before the first that does not fit; then take pairs away
    as long as a row beside a fit takes more than nine tenths."""
    if usable.fits:
        least = -(-usable.sized.usual // 16) * 8
        found = plain_choice_of(costs, usable, budget, lambda use: plain_beside(
            costs, usable, use._replace(size=min(use.size, least))) <= 0.9 * budget)  # fmt: skip
        if found is None:
            return None
        use, capped = found
        while plain_beside(costs, usable, use) > 0.9 * budget:
            use, capped = use._replace(size=use.size - 8), False
        return use, capped
    return plain_choice_of(costs, usable, budget)


def plain_choice_of(costs, usable, budget, may=lambda use: True):
    budget = (0.75 if costs.rows == 1 else 0.9) * budget
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
    if not fitting or fitting[-1].size != usable.sized.usual or len(fitting) == len(way):
        return (fitting[-1], len(fitting) == len(way)) if fitting else None
    more = [fitting[-1]._replace(size=size) for size in range(usable.sized.usual, usable.sized.most + 1, 8)]
    return [use for use in more if fits(use)][-1], False
