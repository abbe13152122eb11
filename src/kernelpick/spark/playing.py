"""One key's rows of a micro-batch, played: predicted and learned, asked, told. Nothing of Spark is in here."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from kernelpick.spark.rows import Line, frame_of


class How(NamedTuple):
    """What is the same for all keys."""

    inputs: tuple[str, ...]
    numeric: tuple[bool, ...]
    classes: Any  # that are declared
    interval: float | None
    timeout: float | None
    skips: bool  # rows that are refused


class Asked(NamedTuple):
    """What was said to a row whose label is awaited."""

    order: Any
    prediction: Any
    around: list[Any] | None


class Answer(NamedTuple):
    id: int | str | None
    prediction: Any = None
    around: list[Any] | None = None  # the ends of an interval, or the classes that it may be
    error: float | None = None


Book = dict[int | str, Asked]


def play(model: Any, book: Book, lines: Sequence[Line], how: How) -> list[Answer]:
    """An answer to each row, in their order; the model learns, and the book tells what is awaited."""
    answers: list[Answer] = []
    plain: list[Line] = []  # rows with labels that nobody asked for before: they are learned together
    for line in lines:
        is_awaited = _is_awaited(model, book, line, how.timeout)
        if line.target is not None and not is_awaited and not line.is_blank:
            plain.append(line)
            continue
        answers += _learned(model, plain, how)
        plain = []
        answers.append(_one(model, book, line, is_awaited, how))
    answers += _learned(model, plain, how)
    for id in [id for id, asked in book.items() if lines and _is_late(asked, lines[-1], how.timeout)]:
        _close(model, book, id)
    return answers


# labels that come late


def _is_awaited(model: Any, book: Book, line: Line, timeout: float | None) -> bool:
    """Whether a row has the id of one that was asked for and is not too long ago."""
    asked = book.get(line.id) if line.id is not None else None
    if asked is None or line.id is None:
        return False
    if _is_late(asked, line, timeout):
        _close(model, book, line.id)
        return False
    return True


def _is_late(asked: Asked, now: Line, timeout: float | None) -> bool:
    return None not in (timeout, asked.order, now.order) and now.order - asked.order > timeout


def _close(model: Any, book: Book, id: int | str) -> None:
    model.drop(id)
    del book[id]


def _one(model: Any, book: Book, line: Line, is_awaited: bool, how: How) -> Answer:
    """A row without a label; one whose label is awaited; or a label for which there is neither."""
    try:
        if line.target is None:
            return _asked(model, book, line, is_awaited, how)
        return _told(model, book, line) if is_awaited else Answer(line.id)
    except ValueError:
        if not how.skips:
            raise
        return Answer(line.id)


def _asked(model: Any, book: Book, line: Line, is_awaited: bool, how: How) -> Answer:
    """Who asks again is told the same; without an id no label can come, and so it is a prediction alone."""
    if is_awaited and line.id is not None:
        return Answer(line.id, *book[line.id][1:])
    row, known = frame_of([line], how.inputs, how.numeric), model.__sklearn_is_fitted__()
    if not known and (line.id is None or (model._classifies and how.classes is None)):
        return Answer(line.id)  # nothing is known that could be said
    around = _around(model, row, how)
    if line.id is None:
        return Answer(None, _plain(model.predict(row, "drawn"))[0], around)
    declared = {"classes": how.classes} if model._classifies and not known else {}
    ticket = model.ask(row, id=line.id, **declared)
    book[line.id] = Asked(line.order, ticket.prediction, around)
    return Answer(line.id, ticket.prediction, around)


def _told(model: Any, book: Book, line: Line) -> Answer:
    assert line.id is not None
    asked = book[line.id]
    model.tell(line.id, line.target)
    del book[line.id]
    return Answer(line.id, asked.prediction, asked.around, _error(model, asked.prediction, line.target))


# labels that are there


def _learned(model: Any, lines: list[Line], how: How) -> list[Answer]:
    """Rows with labels. Intervals are what is known before each row, so with them it is one row after the other."""
    pieces = [lines] if how.interval is None else [[line] for line in lines]
    return [answer for piece in pieces if piece for answer in _piece(model, piece, how)]


def _piece(model: Any, lines: list[Line], how: How) -> list[Answer]:
    try:
        return _progressive(model, lines, how)
    except ValueError:
        if not how.skips:
            raise
    if len(lines) == 1:
        return [Answer(lines[0].id)]
    return [answer for line in lines for answer in _piece(model, [line], how)]


def _progressive(model: Any, lines: list[Line], how: How) -> list[Answer]:
    rows, targets = frame_of(lines, how.inputs, how.numeric), np.array([line.target for line in lines])
    declared, knows = {}, model.__sklearn_is_fitted__()
    if model._classifies and not knows:
        # The classes of a first call would be all that it has, which depends on the cut; so it is told of one.
        declared["classes"] = targets[:1] if how.classes is None else how.classes
    around = _around(model, rows, how) if how.interval is not None else None
    said = _plain(model.progressive_fit(rows, targets, **declared))
    if model._classifies and not knows and how.classes is None:
        said[0] = None  # it knew of no class
    return [
        Answer(line.id, one, around, _error(model, one, line.target)) for line, one in zip(lines, said, strict=True)
    ]


def _around(model: Any, row: Any, how: How) -> list[Any] | None:
    """Of one row: the ends of its interval, or the classes that it may be of."""
    if how.interval is None:
        return None
    if not model._classifies:
        known = model.__sklearn_is_fitted__()
        return _plain(model.predict_interval(row, how.interval, "drawn")[0]) if known else [-np.inf, np.inf]
    if not model.__sklearn_is_fitted__() or not hasattr(model, "predict_set"):
        return None
    return _plain(model.classes_[model.predict_set(row, how.interval, "drawn")[0]])


def _error(model: Any, said: Any, target: Any) -> float | None:
    if said is None:
        return None
    return float(said != target) if model._classifies else float(target - said)


def _plain(values: Any) -> list[Any]:
    return np.asarray(values).tolist()  # type: ignore[no-any-return]


# the book as text


def written(book: Book) -> str | None:
    return json.dumps([[id, *asked] for id, asked in book.items()]) if book else None


def read(text: str | None) -> Book:
    return {id: Asked(*rest) for id, *rest in json.loads(text)} if text else {}
