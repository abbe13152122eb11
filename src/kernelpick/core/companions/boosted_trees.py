"""Gradient boosting of small trees along a stream (Friedman, 2001): what smooth kernels are worst at, steps in columns.

The last RING rows are kept, in bins, with their targets and what the trees say to them. With the first BEGIN rows there
are FOREST trees; then one is begun at times that become rarer (`between`), and speaks when the next one is begun. Of
several outputs the trees are grown for one after the other. Of MOST trees the oldest makes room for the newest.
"""

import math
from functools import lru_cache
from typing import Annotated, Any, NamedTuple, Self

import numpy as np

from kernelpick.core.companions import companion
from kernelpick.core.companions.bins import BINS, EDGES, count_bins, has_bins
from kernelpick.core.companions.counting import COUNTED, DRAWN, THREES, WIDE
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
from kernelpick.core.companions.schedule import FOREST, MOST_ROWS, apart_by, rows_of_edges, slice_of, until
from kernelpick.core.companions.together import LOOKED_AT_TOGETHER, Lookahead, look
from kernelpick.core.companions.trees import COLUMN, FIELDS, LEAVES, LEFT, transplant
from kernelpick.core.loop import Rows
from kernelpick.core.numerics.arrays import empty, zeroed
from kernelpick.core.numerics.compilation import inner
from kernelpick.core.numerics.memory import zeros
from kernelpick.core.numerics.rng import uniforms
from kernelpick.core.parts import Axes
from kernelpick.core.problem import Problem

MOST = 512  # trees
WIDTH, SEEN = 32, 1024  # columns of a tree, at most, and their bins together: what it takes goes by these
TURNS = 256  # orders of columns, of which a tree takes the first ones; then they come again
MOST_INPUTS = 1000
ALL = 2**62  # work


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
            trees.drawn[DRAWN, count], trees.drawn[WIDE, count], trees.drawn[THREES, count] = column, bins, 3 * seen
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


@lru_cache(maxsize=4)
def _order(seed: int, inputs: int) -> np.ndarray:
    """(TURNS, inputs) kept, since fits start with the same. Column k has the numbers from k TURNS on, so that more
    columns do not change the order of the others."""
    chances = uniforms(seed, "trees", 0, TURNS * inputs).reshape(inputs, TURNS)
    return np.ascontiguousarray(chances.argsort(axis=0, kind="stable").T.astype(np.int16))


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
    drawn: Annotated[np.ndarray, Axes(3, WIDTH, given=True)]  # columns of the tree that is grown
    leaves: Annotated[np.ndarray, Axes(LEAVES, 7, given=True)]  # these are scratch: a tree is ready before it is saved
    sums: Annotated[np.ndarray, Axes(LEAVES, 3, given=True)]
    rows: Annotated[np.ndarray, Axes(2, KEPT, given=True)]
    slopes: Annotated[np.ndarray, Axes(2, 2, KEPT, given=True)]
    counts: Annotated[np.ndarray, Axes(COUNTED, 3 * SEEN, given=True)]

    @classmethod
    def build(cls, problem: Problem) -> Self:
        inputs, outputs = problem.inputs, problem.outputs
        return cls(
            problem.loss.name == "logistic",
            MOST,
            problem.steady,
            _order(problem.seed, inputs),
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
            drawn=np.zeros((3, WIDTH), np.int64),
            leaves=np.zeros((LEAVES, 7), np.int64),
            sums=np.zeros((LEAVES, 3)),
            rows=np.zeros((2, KEPT), np.int16),
            slopes=np.zeros((2, 2, KEPT)),
            counts=zeros((COUNTED, 3 * SEEN)),
        )

    def pooled(self, others: list[Self]) -> tuple[Self, Rows]:
        return pooled([self, *others])

    def widened(self, fresh: Self) -> Self:
        """With more columns, and a tree that is being grown goes on: it has its own columns, and what it counts. All
        arrays but those that go by columns stay as they are; of these, the order follows from the problem."""
        for array, own in ((fresh.edges, self.edges), (fresh.recent, self.recent), (fresh.bins, self.bins)):
            array[tuple(map(slice, own.shape))] = own
        return self._replace(order=fresh.order, edges=fresh.edges, recent=fresh.recent, bins=fresh.bins)

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
        sound = sound and 0 <= since <= max(LONGEST, BEGIN + MOST_ROWS) and clock[FIRST] >= 0
        next_ones, own = self.nodes[:, :, LEFT:], np.arange(LEAVES - 1)[:, None]
        sound = sound and bool((((next_ones > own) & (next_ones < LEAVES - 1)) | (next_ones < 0)).all())
        sound = sound and bool((next_ones >= -LEAVES).all() and (self.nodes[:, :, COLUMN] < inputs).all())
        sound = sound and bool((self.nodes[:, :, COLUMN] >= -1).all() and (self.bins < BINS).all())
        numbers = (self.recent, self.targets, self.scores, self.weights, self.values, self.shares)
        if not (sound and all(np.isfinite(array).all() for array in numbers) and (self.weights >= 0.0).all()):
            raise ValueError("the trees are broken")

    @staticmethod
    def notes(companion: Any, rows: int, learns: bool) -> Any:
        """Rows that are looked at together, some numbers, and whether a tree may speak after a row."""
        inputs, outputs, most = len(companion.edges), companion.shares.shape[1], min(rows, LOOKED_AT_TOGETHER)
        bits = empty((4, max(most, LEAVES)), np.uint32)
        space = empty((inputs, most), np.uint8), empty((most, outputs)), empty((2, MOST), np.int64)
        return Lookahead(zeroed(2, np.int64), *space, bits, empty(LEAVES)), empty(BEGIN), learns

    @staticmethod
    def predict(companion: Any, notes: Any, X: np.ndarray, row: int, said: np.ndarray) -> None:
        ahead, _, learns = notes
        trees = companion.clock[TREES]
        if not ahead.rows[0] <= row < ahead.rows[1]:
            alike = until(companion) if learns else LOOKED_AT_TOGETHER
            look(companion, trees, ahead, X, row, min(min(alike, len(X) - row), ahead.bins.shape[1]))
        for m in range(len(said)):
            said[m] = ahead.said[row - ahead.rows[0], m] if trees > 0 else math.nan

    @staticmethod
    def recall(companion: Any, notes: Any, X: np.ndarray, row: int, said: np.ndarray) -> None:
        look(companion, 0, notes[0], X, row, 1)

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
        clock, ahead = companion.clock, notes[0]
        keep(companion, ahead.bins, row - ahead.rows[0], X, row, truth, weight, said)
        since, columns = clock[COUNT] % BEGIN, len(companion.edges)
        if not companion.steady:
            if since == 0:
                set_edges_of(companion, notes[1], 0, columns)
            if clock[COUNT] == BEGIN:
                for _ in range(FOREST):
                    _begin(companion)
                    grow(companion, loss, ALL)
                    _speak(companion)
        elif clock[COUNT] >= BEGIN and since < rows_of_edges(columns):
            within = rows_of_edges(columns)
            set_edges_of(companion, notes[1], since * columns // within, (since + 1) * columns // within)
        apart = apart_by(companion, clock[COUNT])
        if apart > 0:
            if clock[COUNT] % apart == 0:
                grow(companion, loss, ALL)
                _speak(companion)
                _begin(companion)
            work = slice_of(companion, work_of(clock[ROWS], clock[COLUMNS], len(truth)), apart)
            if work > 0:
                grow(companion, loss, work)

    @staticmethod
    def settle(companion: Any, loss: Any) -> None:
        grow(companion, loss, ALL)
