"""One round, and many rounds: the compiled loop that every algorithm runs through.

    draw -> answer -> [label] -> appraise -> improve -> select

The parts are named tuples whose classes bring their own code (see parts.py), so this loop is written once. It updates
their arrays in place; nothing here is random, and nothing looks at a label before its prediction is made.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from kernelpick.core.learners import accepts, answer, improve, move, notes, penalty
from kernelpick.core.losses import value
from kernelpick.core.numerics.arrays import empty, zeroed
from kernelpick.core.numerics.compilation import compiled, compiled_loop, inner, woven
from kernelpick.core.numerics.held import within
from kernelpick.core.record import ARM, LOSS, PLAYER_COLUMNS, SAID, SEAT, SPEAKER, note, recall
from kernelpick.core.rounds import At, Cast, Ledger, Lesson, Trial
from kernelpick.core.selectors import appraise, draw, select
from kernelpick.core.spaces import block_size, has_room, is_shared, look_ahead, squared_norm, workspace
from kernelpick.core.unions import opened

# bits of the mode: b follows the margin (published OKS++ with logistic loss); no update moves a prediction beyond its
# label; players were chosen earlier, and the record tells them, with what they said; nothing is learned: the players
# say something, and that is all
FOLLOWS_MARGIN, CAPPED, ASKED, ONLY_PREDICTS = 1, 2, 4, 8
# why the loop came back: all rows are played; the space has no room for the next round; the loss of the next round is
# not finite, and nothing was learned from it; the selector says so: somebody else leads, or hypotheses start afresh;
# it lets more arms play than it has said
DONE, NO_ROOM, OVERFLOW, TURN, TOO_MANY = range(5)


class Rows(NamedTuple):
    """What comes in."""

    X: np.ndarray  # (T, d)
    Y: np.ndarray  # (T, M)
    weights: np.ndarray  # (T,), or empty where all rows weigh 1
    numbers: np.ndarray  # (T, n) random numbers in [0, 1), or (1, n) for all rows


class Game(NamedTuple):
    """What is played."""

    space: Any
    learner: Any
    selector: Any
    loss: Any
    mode: int


class Room(NamedTuple):
    """Arrays that are made for one call: few, since making one takes as long as a part of a round."""

    work: Any  # of the space
    notes: Any  # of the learner
    whole: np.ndarray  # (4, players) for the cast,
    real: np.ndarray  # (3, players) whole numbers and others
    values: np.ndarray  # (K, M)
    outputs: np.ndarray  # (4, M)
    arms: np.ndarray  # (2, K)


class Scratch(NamedTuple):
    """The same by names."""

    work: Any
    notes: Any
    cast: Cast
    values: np.ndarray  # (K, M)
    said: np.ndarray  # (M,) what counts as the prediction
    now: np.ndarray  # (M,) what the players say now; the same, unless the prediction was given earlier
    truth: np.ndarray  # (M,)
    at: np.ndarray  # (M,)
    costs: np.ndarray  # (K,)
    penalties: np.ndarray  # (K,)


@compiled_loop
def play(state: Any, loss: Any, mode: int, rows: Rows, record: np.ndarray) -> tuple[int, int]:
    """Play the rows; what happened goes into the record. (rounds played, why it came back)

    The state is State.packed. With ASKED, the record holds what was drawn and said then. The loss is that of what was
    said; what is learned is learned by the hypotheses as they are now. With ONLY_PREDICTS, too, it names players (see
    record.asking), who say something now.
    """
    space, learner, _, ledger = within(state)
    arms, outputs = len(ledger) - 2, rows.Y.shape[1]
    drawn = (record.shape[1] - SAID - outputs) // PLAYER_COLUMNS
    most = drawn if drawn > 0 else arms
    work, own = workspace(space, len(rows.X), most), notes(learner, space, len(rows.X), outputs)
    whole, real = empty((4, max(most, arms)), np.int64), empty((3, max(most, arms)))
    room = Room(work, own, whole, real, empty((arms, outputs)), empty((4, outputs)), zeroed((2, arms)))
    return _rounds(state, loss, mode, room, rows, record)


@inner
def _rounds(state: Any, loss: Any, mode: int, room: Any, rows: Any, record: np.ndarray) -> tuple[int, int]:
    """The loop itself. It is apart from what makes arrays: such a function would count references."""
    space, learner, selector, ledger = within(state)
    game = Game(space, opened(learner), opened(selector), loss, mode)
    whole, real, outputs, arms = room.whole, room.real, room.outputs, room.arms
    cast = Cast(whole[0], whole[1], real[0], real[1], real[2], whole[2], whole[3])
    vectors = outputs[0], outputs[1], outputs[2], outputs[3], arms[0], arms[1]
    scratch = Scratch(room.work, room.notes, cast, room.values, *vectors)
    books = Ledger(ledger[:1], ledger[1:2], ledger[2:])
    drawn = (record.shape[1] - SAID - len(scratch.now)) // PLAYER_COLUMNS
    most, learns = drawn if drawn > 0 else len(books.losses), mode & ONLY_PREDICTS == 0
    start, stop, size = 0, 0, block_size(space)
    for row in range(len(rows.X)):
        if row == stop:
            start = row
            stop = min(len(rows.X), row + size - (int(books.clock[0]) % size if learns else 0))
            look_ahead(space, scratch.work, rows.X, start, stop)
        if learns and not has_room(space, most):
            return row, NO_ROOM
        count = _predict(game, scratch, rows, row, row - start, most, record)
        if count > most:
            return row, TOO_MANY
        if learns:
            trial = _score(game, scratch, rows, row, row - start, count, record)
            if not math.isfinite(record[row, LOSS]):
                return row, OVERFLOW
            if _learn(game, scratch, rows, row, row - start, count, trial, books):
                return row + 1, TURN
    return len(rows.X), DONE


@woven
def _predict(game: Any, scratch: Any, rows: Any, row: int, slot: int, most: int, record: np.ndarray) -> int:
    """Who plays, and what they say together; the number of players. If these are too many, nothing more."""
    cast, values, now, outputs = scratch.cast, scratch.values, scratch.now, len(scratch.now)
    first = SAID + outputs
    drawn = (record.shape[1] - first) // PLAYER_COLUMNS
    asked = game.mode & ASKED != 0
    if asked and drawn > 0:  # the players are those of then
        count = recall(cast, record, row, first, drawn)
    else:
        numbers = rows.numbers[row if len(rows.numbers) > 1 else 0]
        count = draw(game.selector, numbers, cast)
    learns = game.mode & ONLY_PREDICTS == 0
    for m in range(outputs):
        now[m] = 0.0
    speaker = -1
    for j in range(count if count <= most else 0):
        arm = cast.arm[j]
        expected = cast.chance[j] if learns and cast.learns[j] else -1.0
        at = At(rows.X, row, slot, arm, cast.seat[j], j, expected)
        answer(game.learner, scratch.notes, game.space, scratch.work, at, values)
        if cast.share[j] > 0.0:
            speaker = arm if speaker < 0 else speaker
            for m in range(outputs):
                now[m] += cast.share[j] * values[arm, m]
    for m in range(outputs):
        if not (asked and learns):
            record[row, SAID + m] = now[m]
        scratch.said[m] = record[row, SAID + m]
    if not asked:
        record[row, SPEAKER] = speaker
        for j in range(drawn):
            note(cast, j, count, record, row, first + j * PLAYER_COLUMNS)
    return count


@woven
def _score(game: Any, scratch: Any, rows: Any, row: int, slot: int, count: int, record: np.ndarray) -> Any:
    """The label comes: the loss, and all that selectors and learners need to know of it."""
    said, truth, penalties, cast = scratch.said, scratch.truth, scratch.penalties, scratch.cast
    loss, margin = 0.0, 0.0
    for m in range(len(said)):
        truth[m] = rows.Y[row, m]
        loss += value(game.loss, said[m], truth[m])
        if game.mode & FOLLOWS_MARGIN:
            margin += math.exp(-truth[m] * said[m]) / len(said)
    record[row, LOSS] = loss
    factor = penalty(game.learner)
    for j in range(count):
        arm = cast.arm[j]
        scratch.costs[arm] = 0.0
        penalties[arm] = factor * squared_norm(game.space, arm) if factor > 0.0 else 0.0
    numbers = rows.numbers[row if len(rows.numbers) > 1 else 0]
    return Trial(game.loss, said, truth, scratch.values, penalties, margin, numbers, rows.X, row, slot)


@woven
def _learn(game: Any, scratch: Any, rows: Any, row: int, slot: int, count: int, trial: Any, books: Any) -> bool:
    """The players pay and learn, and the selector decides about the next round; True: it is a turn."""
    cast, costs, space, learner = scratch.cast, scratch.costs, game.space, game.learner
    weight = rows.weights[row] if len(rows.weights) else 1.0
    books.clock[0] += 1
    appraise(game.selector, cast, count, trial, costs)
    for j in range(count):
        if cast.charged[j]:
            arm = cast.arm[j]
            costs[arm] *= weight
            books.losses[arm] += costs[arm] / cast.divisor[j]
            books.total[0] += costs[arm] / cast.divisor[j]
    if accepts(learner, int(books.clock[0]), trial.numbers[0]):
        shared, capped = is_shared(space), game.mode & CAPPED != 0
        lesson = Lesson(game.loss, trial.truth, scratch.at, trial.values, weight, trial.margin, capped, books)
        for j in range(1 if shared else count):
            if cast.learns[j]:
                arm = cast.arm[j]
                for m in range(len(scratch.at)):  # a shared hypothesis learns at what all say
                    scratch.at[m] = scratch.now[m] if shared else trial.values[arm, m]
                at = At(rows.X, row, slot, arm, cast.seat[j], j, cast.chance[j])
                improve(learner, scratch.notes, space, scratch.work, at, lesson)
    move(learner, scratch.notes, space, scratch.work, cast, trial)
    return select(game.selector, cast, count, trial, costs, books)


@compiled
def ask_leader(p: np.ndarray, seats: np.ndarray, record: np.ndarray) -> None:
    """Into the record of a row that is only predicted (record.asking): the arm with the largest p is asked."""
    arm = 0
    for i in range(1, len(p)):
        arm = i if p[i] > p[arm] else arm
    first = record.shape[1] - PLAYER_COLUMNS
    record[0, first + ARM], record[0, first + SEAT] = arm, seats[arm]
