"""When trees are begun, and when those that are ready speak: at times that become rarer."""

from typing import Any

from kernelpick.core.companions.growing import BEGUN, COUNT
from kernelpick.core.companions.keeping import BEGIN
from kernelpick.core.numerics.compilation import inner

FOREST = 40  # trees with the first BEGIN rows,
FIRST_TREES = 24  # or, steadily, when all columns have edges, and so many rows apart
FEWEST_ROWS, MOST_ROWS = 64, 256  # within which they get these, a column in two rows where there are no more
ROWS_A_PIECE = 32  # rows, which is no more than trees are apart, and a part of that


@inner
def rows_of_edges(columns: int) -> int:
    """Steadily, within how many rows so many columns get edges."""
    return min(max(2 * columns, FEWEST_ROWS), MOST_ROWS)


@inner
def between(count: int) -> int:
    """How many rows apart trees are begun, after so many."""
    return 32 if count < 4096 else (64 if count < 8192 else 128)


@inner
def apart_by(trees: Any, count: int) -> int:
    """How many rows apart trees are begun, when there are so many; 0 as long as none are."""
    if trees.steady:
        if trees.clock[BEGUN] == 0 and count < BEGIN + rows_of_edges(len(trees.edges)):
            return 0  # columns that come later do not stop a tree that has begun
        if trees.clock[BEGUN] < FOREST:
            return FIRST_TREES
    return between(count) if count >= BEGIN else 0


@inner
def until(trees: Any) -> int:
    """How many rows come before a tree speaks, or a column gets edges: they all hear the same."""
    count = trees.clock[COUNT] + 1
    if trees.steady and count % BEGIN < rows_of_edges(len(trees.edges)):
        return 1
    apart = apart_by(trees, count)
    return 1 + -count % (apart if apart > 0 else BEGIN)


@inner
def slice_of(trees: Any, work: int, apart: int) -> int:
    """What is done with a row, of the work that a tree takes at most: steadily, all do as much. Else the last one of a
    piece does it for all of them, so that the others leave matrices in the nearest caches. Most trees take half of that
    work: they are ready in time at a slower pace, and the last quarter of the rows does what is left of others."""
    if trees.steady:
        return work // apart + 1
    since = trees.clock[COUNT] % apart
    if since % ROWS_A_PIECE != ROWS_A_PIECE - 1:
        return 0
    eighths = 5 if 4 * since < 3 * apart else 17
    return ROWS_A_PIECE * (eighths * work // (8 * apart) + 1)
