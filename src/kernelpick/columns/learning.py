"""Tables into a named model: learned in pieces, each of which begins with the births of the inputs that it needs."""

import copy
from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np

from kernelpick.columns.inputs import NUMBER, Input, rank
from kernelpick.columns.stream import Births, Columns
from kernelpick.columns.tables import Table
from kernelpick.core import NO_WEIGHTS
from kernelpick.core.numerics.interrupts import Uninterrupted
from kernelpick.online.columns import NamedModel
from kernelpick.online.learning import PIECE
from kernelpick.online.plan import Plan
from kernelpick.online.said import Said
from kernelpick.online.warning import warn

PART_ENTRIES = 2**20  # numbers that are made of a table at a time
FEW_ROWS, MANY_BIRTHS = 32, 4
INPUTS_A_COLUMN = 16  # a guess, where it is not known yet


def begun(
    plan: Callable[[int, int], Plan], table: Table, missing: str | None, as_given: bool = False
) -> tuple[NamedModel, Columns]:
    """A model of the inputs that the first row of a table bears, planned for so many numbers and so many inputs in
    all; or an error, if the table is refused. as_given: numbers keep their order, and give the bits that they give in a
    matrix."""
    columns = Columns(missing, as_given)
    births = copy.deepcopy(columns).learn(table[:1])[1]
    born = births[0][1] if births else []
    numbers = [one.name for one in born if one.part == NUMBER]
    model = NamedModel(plan(max(len(numbers), 1), len(born)), numbers, together=as_given)
    admit(model, born)
    check(model, columns, table)
    columns.expect(table)
    return model, columns


def _new(model: NamedModel, born: list[Input]) -> list[Input]:
    waiting = model.waiting.names if model.waiting is not None else ()
    return [one for one in born if one.name not in model.names and one.name not in waiting]


def admit(model: NamedModel, born: list[Input]) -> None:
    """Inputs that the model does not have yet: numbers, clocks, and those that are made, in this order."""
    kinds: tuple[dict[str, bool], ...] = ({}, {"clock": True}, {"made": True})
    for kind, told in enumerate(kinds):
        names = [one.name for one in _new(model, born) if rank(one) == kind]
        if names:
            model.admit(names, **told)


def check(model: NamedModel, columns: Columns, table: Table) -> None:
    """Refuse what can't be learned, before anything has changed."""
    columns.check(table)
    if model.spec.orthogonal:  # it can't take new inputs once it has begun, so see whether there are any
        trial = copy.deepcopy(columns)
        for part in _parts(columns, len(table)):
            for row, born in trial.learn(table[part])[1]:
                if (row or part.start or model.draws) and _new(model, born):
                    model.refuse(_new(model, born)[0].name)


def learn(model: NamedModel, columns: Columns, table: Table, Y: np.ndarray, weights: np.ndarray = NO_WEIGHTS) -> Said:
    """Learn the rows of a checked table; what was said to each is what predicting it before would have said."""
    check(model, columns, table)
    heard = []
    for rows in _same_sign(weights, len(table)):
        if len(weights) and weights[rows.start] == 0.0:  # such rows are predicted, and change nothing
            if not columns.rows:  # but for the first one, with which a stream begins
                ready(model, columns, table[:1])
            heard.append(Said(decide(model, columns, table[rows], drawn=True)))
        else:
            heard += _learn(model, columns, table[rows], Y[rows], weights[rows])
    tell_of_ids(columns)
    return Said.together(heard)


def _learn(model: NamedModel, columns: Columns, table: Table, Y: np.ndarray, weights: np.ndarray) -> Iterator[Said]:
    start, step = 0, FEW_ROWS
    while start < len(table):
        part = slice(start, min(start + min(step, _most_rows(columns)), len(table)))
        with Uninterrupted(), model.guard:  # what columns know and what the model has learned belong together
            matrix, births = columns.learn(table[part])
            heard = list(_learn_part(model, matrix, births, Y[part], weights[part]))
        yield from heard
        start = part.stop
        step = FEW_ROWS if len(births) > MANY_BIRTHS else min(2 * step, PIECE)  # a birth takes time, and others wait


def _learn_part(
    model: NamedModel, matrix: np.ndarray, births: Births, Y: np.ndarray, weights: np.ndarray
) -> Iterator[Said]:
    """Rows up to a birth; then the row of the birth, to which the model spoke without it; and so on."""

    def learned(start: int, stop: int) -> Said:
        parts: list[Said] = []
        while start < stop or not parts:  # in pieces, after which columns that wait may be taken in
            some = slice(start, min(stop, start + model.next_piece))
            parts.append(model.learn(_fitting(model, matrix[some]), Y[some], weights[some]))
            start = some.stop
        return Said.together(parts)

    done = 0
    for row, born in births:
        if not _new(model, born):
            continue
        if row > done:
            yield learned(done, row)
        yield Said(model.decide(_fitting(model, matrix[row : row + 1, : len(model.names)]), True))
        admit(model, born)
        learned(row, row + 1)
        done = row + 1
    if done < len(matrix):
        yield learned(done, len(matrix))


def learn_again(model: NamedModel, columns: Columns, table: Table, Y: np.ndarray, weights: np.ndarray) -> None:
    """Learn rows that were learned before: by the inputs that there are, and they are not counted."""
    done = 0
    with model.guard:
        model.take_in()
    for part in rows(model, columns, table):
        of = slice(done, done + len(part))
        model.learn(part, Y[of], weights[of])
        done += len(part)


def rows(model: NamedModel, columns: Columns, table: Table) -> Iterator[np.ndarray]:
    """The rows of a table in parts, for a model that predicts them."""
    columns.check(table)
    for part in _parts(columns, len(table)):
        yield _fitting(model, columns.read(table[part]))


def decide(model: NamedModel, columns: Columns, table: Table, drawn: bool = False) -> np.ndarray:
    """Values (T, M); nothing changes."""
    if not len(table):
        return np.empty((0, model.spec.n_outputs))
    return np.concatenate([model.decide(part, drawn) for part in rows(model, columns, table)])


def bear(model: NamedModel, columns: Columns, table: Table) -> None:
    """The model has the inputs of a row (a table of one) that is about to be learned."""
    for _, born in copy.deepcopy(columns).learn(table)[1]:
        admit(model, born)


def ready(model: NamedModel, columns: Columns, table: Table) -> np.ndarray:
    """The row (1, d) of a table of one, whose inputs the model has from now on."""
    check(model, columns, table)
    matrix, births = columns.learn(table)
    for _, born in births:
        admit(model, born)
    return _fitting(model, matrix)


def tell_of_ids(columns: Columns) -> None:
    """Warn of columns that are ignored, once."""
    while columns.new_ids:
        name = columns.new_ids.pop()
        warn(
            f"The column {name!r} is ignored from now on: nearly all of its first 512 texts are different, "
            "as those of an id are."
        )


def _fitting(model: NamedModel, matrix: np.ndarray) -> np.ndarray:
    """Rows as wide as the model's: those that wait for a name are zero, and columns that wait are left out."""
    fitting = np.zeros((len(matrix), model.spec.n_inputs))
    width = min(matrix.shape[1], len(model.names))
    fitting[:, :width] = matrix[:, :width]
    return fitting


def _most_rows(columns: Columns) -> int:
    """Cutting does not change the results, and bounds the memory."""
    return max(1, PART_ENTRIES // max(columns.width, INPUTS_A_COLUMN * len(columns.columns), 64))


def _parts(columns: Columns, count: int) -> Iterator[slice]:
    step = _most_rows(columns)
    for start in range(0, count, step):
        yield slice(start, min(start + step, count))


def _same_sign(weights: np.ndarray, count: int) -> Iterator[slice]:
    """Rows in runs that weigh something, or nothing."""
    if not len(weights) or weights.all():
        yield slice(0, count)
        return
    marks = [0, *(np.flatnonzero(np.diff(weights > 0)) + 1).tolist(), count]
    yield from (slice(start, stop) for start, stop in pairwise(marks))
