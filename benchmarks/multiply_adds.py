"""The multiply-adds of a round that its definition needs, however it is computed; docs/algorithms.md has the formulas.

Sines, cosines, exponentials and square roots are not counted: a definition does not say how they are found. Nor are
selectors, losses, scales and trees, which have few or none. Zero inputs need none. tests/test_multiply_adds.py has
plain rounds that count for themselves.
"""

MEMORIES, MOST = 4, 32  # hypotheses that learn beside the leader of "auto"; their frequencies and inputs, at most
SCOUTED = 1.3  # hypotheses that "auto" evaluates a round


def features(inputs: float, pairs: int, players: float = 1, outputs: int = 1) -> float:
    """Random features and gradient steps: projections that kernels share; a value and a step of each who plays."""
    return inputs * pairs + players * outputs * 2 * (2 * pairs)


def exact(inputs: int, stored: float) -> float:
    """Stored examples: a product with each for its distance, and one with its coefficient."""
    return stored * (inputs + 1)


def newton(inputs: float, pairs: int, players: float = 1, outputs: int = 1) -> float:
    """Projections; of each who plays a value, P z, z.P z, a step, and half of what is taken from P, as the rest is its
    mirror. The inputs and a constant are among the features."""
    order = 2 * pairs + 1 + inputs
    return inputs * pairs + players * (2 * outputs * order + order * order + order + order * (order + 1) / 2)


def auto(inputs: int, pairs: int, outputs: int = 1, memories: bool = True) -> float:
    """The leader and its scouts, and beside them small hypotheses whose last inputs are what the leader says."""
    count = newton(inputs, pairs, SCOUTED, outputs)
    if memories:
        places, few = min(inputs, MOST), min(pairs, MOST)
        own = newton(places + outputs, few, MEMORIES, outputs)
        count += own - outputs * few  # no frequency sees those
    return count
