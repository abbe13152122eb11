"""Gradient boosting of small trees along a stream (Friedman, 2001): what smooth kernels are worst at, steps in columns.

The last RING rows are kept, in bins, with their targets and what the trees say to them. With the first BEGIN rows there
are FOREST trees; then one is begun at times that become rarer (`between`), and speaks when the next one is begun. Of
several outputs the trees are grown for one after the other. Of MOST trees the oldest makes room for the newest.
"""

import math
from typing import Annotated, Any, NamedTuple, Self

import numpy as np

from kernelpick.core.companions import companion
from kernelpick.core.companions.bins import BINS, EDGES, bin_of, count_bins, has_bins
from kernelpick.core.companions.growing import (
    AGAIN,
    AT,
    BASE,
    BEGUN,
    BEHIND,
    COLUMNS,
    COUNT,
    DROPPING,
    FIRST,
    HANDS,
    NOTHING,
    OUTPUT,
    PHASE,
    READY,
    ROWS,
    SLOPING,
    TREES,
    add_tree,
    grow,
    work_of,
)
from kernelpick.core.companions.keeping import BEGIN, KEPT, LONGEST, RING, keep, set_edges_of
from kernelpick.core.companions.pooling import pooled
from kernelpick.core.companions.trees import COLUMN, FIELDS, LEAVES, LEFT, add_up, transplant
from kernelpick.core.loop import Rows
from kernelpick.core.numerics.compilation import inner
from kernelpick.core.numerics.rng import uniforms
from kernelpick.core.parts import Axes
from kernelpick.core.problem import Problem

FOREST = 40  # trees with the first BEGIN rows,
FIRST_EDGES, FIRST_TREES = 64, 16  # or, steadily, edges within so many rows, and then trees so many rows apart
MOST = 512  # trees
WIDTH, SEEN = 32, 1024  # columns of a tree, at most, and their bins together: what it takes goes by these
TURNS = 256  # orders of columns, of which a tree takes the first ones; then they come again
MOST_INPUTS = 1000
ALL = 2**62  # work


@inner
def between(count: int) -> int:
    """How many rows apart trees are begun, after so many."""
    return 32 if count < 4096 else (64 if count < 8192 else 128)


@inner
def _apart(trees: Any) -> int:
    """How many rows apart trees are begun, now; 0 as long as there are none."""
    count = trees.clock[COUNT]
    if trees.steady:
        if count < BEGIN + FIRST_EDGES:
            return 0
        if trees.clock[BEGUN] < FOREST:
            return FIRST_TREES
    return between(count) if count >= BEGIN else 0


@inner
def _begin(trees: Any) -> None:
    """Begin a tree on the last rows, for the next output, with columns of its own."""
    clock = trees.clock
    turn, outputs, count, seen = clock[BEGUN] % TURNS, len(trees.scores), 0, 0
    for i in range(len(trees.edges)):
        column = trees.order[turn, i]
        if count < WIDTH and has_bins(trees.edges, column):
            bins = count_bins(trees.edges, column)
            if seen + bins > SEEN:
                break
            trees.drawn[0, count], trees.drawn[1, count] = column, bins
            count, seen = count + 1, seen + bins
    clock[FIRST] = max(clock[COUNT] - KEPT, 0)
    clock[ROWS], clock[COLUMNS], clock[AT] = clock[COUNT] - clock[FIRST], count, 0
    clock[OUTPUT] = clock[BEGUN] % outputs
    for m in range(outputs):
        trees.shares[MOST, m] = 1.0 if m == clock[OUTPUT] else 0.0
    clock[BEGUN] += 1
    clock[PHASE] = DROPPING if clock[TREES] == MOST else SLOPING


@inner
def _speak(trees: Any) -> None:
    """The tree that is ready joins the others, in the place of the oldest; rows that came meanwhile hear it, too."""
    clock = trees.clock
    if clock[PHASE] != READY:
        return
    place, came = (clock[BEGUN] - 1) % MOST, range(clock[FIRST] + clock[ROWS], clock[COUNT])
    if clock[TREES] == MOST:
        for i in came:
            add_tree(trees, place, i % RING, -1.0)
    transplant(trees.nodes, trees.values, trees.shares, MOST, place)
    for i in came:
        add_tree(trees, place, i % RING, 1.0)
    clock[TREES] = min(clock[TREES] + 1, MOST)
    clock[PHASE] = NOTHING


@companion("trees", most_inputs=MOST_INPUTS)
class BoostedTrees(NamedTuple):
    classes: bool  # whether outputs are classes with scores of the logistic loss: one, or softmax
    most: int  # trees; the place of the one that is grown
    steady: bool  # whether no row does more than its share: the first trees come one by one
    order: Annotated[np.ndarray, Axes(TURNS, "inputs", given=True)]
    clock: Annotated[np.ndarray, Axes(HANDS)]
    edges: Annotated[np.ndarray, Axes("inputs", EDGES, fresh=math.inf, adds="same")]
    recent: Annotated[np.ndarray, Axes(BEGIN, "inputs")]  # the last rows as they came
    bins: Annotated[np.ndarray, Axes("inputs", RING)]
    targets: Annotated[np.ndarray, Axes("outputs", RING, fresh=-1.0)]  # no row so far was of a class that is new
    scores: Annotated[np.ndarray, Axes("outputs", RING)]
    weights: Annotated[np.ndarray, Axes(RING)]
    nodes: Annotated[np.ndarray, Axes(MOST + 1, LEAVES - 1, FIELDS, fresh=-1)]
    values: Annotated[np.ndarray, Axes(MOST + 1, LEAVES)]
    shares: Annotated[np.ndarray, Axes(MOST + 1, "outputs")]
    drawn: Annotated[np.ndarray, Axes(2, WIDTH, given=True)]  # columns of the tree that is grown, and their bins
    leaves: Annotated[np.ndarray, Axes(LEAVES, 6, given=True)]  # these are scratch: a tree is ready before it is saved
    sums: Annotated[np.ndarray, Axes(LEAVES, 3, given=True)]
    rows: Annotated[np.ndarray, Axes(2, KEPT, given=True)]
    slopes: Annotated[np.ndarray, Axes(2, 2, KEPT, given=True)]
    counts: Annotated[np.ndarray, Axes(LEAVES, WIDTH, 3 * BINS, given=True)]

    @classmethod
    def build(cls, problem: Problem) -> Self:
        inputs, outputs = problem.inputs, problem.outputs
        # Column k has the numbers from k TURNS on, so that more columns do not change the order of the others.
        chances = uniforms(problem.seed, "trees", 0, TURNS * inputs).reshape(inputs, TURNS)
        order = np.ascontiguousarray(chances.argsort(axis=0, kind="stable").T.astype(np.int16))
        return cls(
            problem.loss.name == "logistic",
            MOST,
            problem.steady,
            order,
            clock=np.zeros(HANDS, np.int64),
            edges=np.full((inputs, EDGES), math.inf),
            recent=np.zeros((BEGIN, inputs)),
            bins=np.zeros((inputs, RING), np.uint8),
            targets=np.full((outputs, RING), -1.0),
            scores=np.zeros((outputs, RING)),
            weights=np.zeros(RING),
            nodes=np.full((MOST + 1, LEAVES - 1, FIELDS), -1, np.int16),
            values=np.zeros((MOST + 1, LEAVES)),
            shares=np.zeros((MOST + 1, outputs)),
            drawn=np.zeros((2, WIDTH), np.int64),
            leaves=np.zeros((LEAVES, 6), np.int64),
            sums=np.zeros((LEAVES, 3)),
            rows=np.zeros((2, KEPT), np.int64),
            slopes=np.zeros((2, 2, KEPT)),
            counts=np.zeros((LEAVES, WIDTH, 3 * BINS)),
        )

    def pooled(self, others: list[Self]) -> tuple[Self, Rows]:
        return pooled([self, *others])

    def checked(self) -> None:
        """Refuse what would lead out of an array, or round in a circle: a node comes before those that it leads to."""
        inputs, outputs, clock = len(self.edges), len(self.scores), self.clock
        since = clock[COUNT] - clock[FIRST] - clock[ROWS]
        ranges = {
            COUNT: 2**53,
            TREES: MOST,
            BEGUN: 2**53,
            PHASE: READY,
            ROWS: KEPT,
            OUTPUT: outputs - 1,
            COLUMNS: WIDTH,
            BASE: clock[TREES],
            AGAIN: clock[COUNT],
            BEHIND: 2**53,
        }
        sound = all(0 <= clock[hand] <= most for hand, most in ranges.items()) and 0 <= clock[OUTPUT] < outputs
        sound = sound and 0 <= since <= max(LONGEST, BEGIN + FIRST_EDGES) and clock[FIRST] >= 0
        next_ones, own = self.nodes[:, :, LEFT:], np.arange(LEAVES - 1)[:, None]
        sound = sound and bool((((next_ones > own) & (next_ones < LEAVES - 1)) | (next_ones < 0)).all())
        sound = sound and bool((next_ones >= -LEAVES).all() and (self.nodes[:, :, COLUMN] < inputs).all())
        sound = sound and bool((self.nodes[:, :, COLUMN] >= -1).all() and (self.bins < BINS).all())
        numbers = (self.recent, self.targets, self.scores, self.weights, self.values, self.shares)
        if not (sound and all(np.isfinite(array).all() for array in numbers) and (self.weights >= 0.0).all()):
            raise ValueError("the trees are broken")

    @staticmethod
    def notes(companion: Any) -> Any:
        """The bins of a row, some numbers, and the ways through the trees."""
        return np.empty((len(companion.edges), 1), np.uint8), np.empty(BEGIN), np.empty((2, MOST), np.int64)

    @staticmethod
    def predict(companion: Any, notes: Any, X: np.ndarray, row: int, said: np.ndarray) -> None:
        bins = notes[0]
        for k in range(len(bins)):
            bins[k, 0] = bin_of(companion.edges, k, X[row, k])
        if companion.clock[TREES] == 0:
            for m in range(len(said)):
                said[m] = math.nan
            return
        add_up(companion.nodes, companion.values, companion.shares, companion.clock[TREES], bins, notes[2], said)

    @staticmethod
    def learn(
        companion: Any,
        notes: Any,
        loss: Any,
        X: np.ndarray,
        row: int,
        truth: np.ndarray,
        weight: float,
        said: np.ndarray,
    ) -> None:
        clock = companion.clock
        keep(companion, notes[0], X, row, truth, weight, said)
        since, columns = clock[COUNT] % BEGIN, len(companion.edges)
        if not companion.steady:
            if since == 0:
                set_edges_of(companion, notes[1], 0, columns)
            if clock[COUNT] == BEGIN:
                for _ in range(FOREST):
                    _begin(companion)
                    grow(companion, loss, ALL)
                    _speak(companion)
        elif clock[COUNT] >= BEGIN and since < FIRST_EDGES:
            each = -(-columns // FIRST_EDGES)
            set_edges_of(companion, notes[1], min(since * each, columns), min((since + 1) * each, columns))
        apart = _apart(companion)
        if apart > 0:
            if clock[COUNT] % apart == 0:
                grow(companion, loss, ALL)
                _speak(companion)
                _begin(companion)
            work = work_of(clock[ROWS], clock[COLUMNS], len(truth))
            grow(companion, loss, work // apart + 1)

    @staticmethod
    def settle(companion: Any, loss: Any) -> None:
        grow(companion, loss, ALL)
