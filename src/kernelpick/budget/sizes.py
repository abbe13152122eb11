"""What of an algorithm a budget decides: which number, between which bounds, and at which sizes it is measured."""

from typing import Any, NamedTuple

from kernelpick.core.algorithms import Algorithm
from kernelpick.core.kernels.frequencies import block_of
from kernelpick.core.spaces.tiles import TILE
from kernelpick.core.specification import algorithm_of

MOST_ORDER = 1024  # of matrices
MOST_PAIRS = 16_384  # frequencies without matrices: beyond, errors do not fall (docs/budget.md)
MOST_EXAMPLES = 4_096
FEWEST = 16  # frequencies, or examples: below, no model is of use
# The largest size that is measured, in frequencies and in their numbers, for many rows and for single ones. A single
# row reads all of them, and of those that are more than caches hold one takes 3 to 3.7 times as long; many rows read
# them together: the line bends (fit.py) and goes on.
LARGEST = {False: (8_192, 1_000_000), True: (MOST_PAIRS, 1_500_000)}
BEYOND = 3
STEP = 8  # frequencies that registers hold
WITHOUT = {"oks": "rf-oks", "oks++": "rf-oks++", "ioks": "rf-ioks", "bao2ks": "rf-bao2ks"}  # exact, and its kin


class Sized(NamedTuple):
    """The number that a budget decides, and what it means for the time of a round."""

    parameter: str  # of the estimators
    usual: int  # beyond that, what plays beside the kernels comes first
    most: int
    degree: int  # of the polynomial that its cost is
    inputs: int  # columns that matrices have room for as well; 0 without matrices
    probes: tuple[int, ...]
    step: int = STEP  # sizes are multiples of it
    near: int = MOST_PAIRS  # frequencies that caches hold; of the others one counts as several

    @property
    def fewest(self) -> int:
        return max(FEWEST, self.step)

    def x(self, size: int) -> int:
        """What the cost is a polynomial of."""
        return 2 * size + 1 + self.inputs if self.degree == 2 else size + (BEYOND - 1) * max(0, size - self.near)


def sized(algorithm: Any, n_inputs: int, single: bool = False) -> Sized:
    """Of an algorithm by its name, or itself, for single rows or many; refused are those whose rounds take longer and
    longer."""
    row = algorithm_of(algorithm)
    if row.space.spectral:
        return _features(row, n_inputs, single)
    if row.space.name == "shared":
        return Sized("budget", MOST_EXAMPLES, MOST_EXAMPLES, 1, 0, (TILE, 4 * TILE, 16 * TILE), TILE)
    name = algorithm if isinstance(algorithm, str) else "This algorithm"
    raise ValueError(
        f"{name} stores examples without end: a round takes longer the more rows have come, and no budget is kept. "
        f"Take {WITHOUT.get(name, 'rf-oks++')}, which has random features, or lkmbooks, or leave time_budget out."
    )


def in_blocks(sized: Sized, n_inputs: int) -> Sized:
    """The same with structured frequencies, which cost as much as whole blocks of them."""
    block = block_of(n_inputs)
    most = max(block, sized.most // block * block)
    probes = tuple(sorted({min(times * block, most) for times in (1, 4, 16)}))
    return sized._replace(usual=most, most=most, step=block, probes=probes)


def _features(row: Algorithm, n_inputs: int, single: bool) -> Sized:
    """Algorithms that are made to be small stay so."""
    newton = row.learner_for(n_inputs).axis == "newton"
    most = max(FEWEST, (MOST_ORDER - 1 - n_inputs) // (2 * STEP) * STEP) if newton else MOST_PAIRS
    usual = min(row.features_for(n_inputs), most) if row.fits else most
    most = usual if row.size.compact else most
    if newton:
        return Sized("n_features", usual, most, 2, n_inputs, tuple(sorted({16, 64, 192, max(192, most)})))
    pairs, numbers = LARGEST[single]
    largest = min(most, pairs, max(FEWEST, numbers // n_inputs // STEP * STEP))
    probes = sorted({size for size in (16, 128, 1024) if size < largest} | {largest})
    return Sized("n_features", usual, most, 1, 0, tuple(probes), near=largest if single else most)
