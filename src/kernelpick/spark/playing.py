"""One key's rows of a micro-batch, played: predicted and learned, asked, told. Nothing of Spark is in here."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from kernelpick.spark.rows import Arrival, frame_of


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


Awaited = dict[int | str, Asked]


def answer_rows(model: Any, awaited: Awaited, arrivals: Sequence[Arrival], how: How) -> list[Answer]:
    """An answer to each row, in their order; the model learns, and what is awaited is written down."""
    answers: list[Answer] = []
    plain: list[Arrival] = []  # rows with labels that nobody asked for before: they are learned together
    for arrival in arrivals:
        is_awaited = _is_awaited(model, awaited, arrival, how.timeout)
        if arrival.target is not None and not is_awaited and not arrival.is_blank:
            plain.append(arrival)
            continue
        answers += _learned(model, plain, how)
        plain = []
        answers.append(_one(model, awaited, arrival, is_awaited, how))
    answers += _learned(model, plain, how)
    for id in [id for id, asked in awaited.items() if arrivals and _is_late(asked, arrivals[-1], how.timeout)]:
        _close(model, awaited, id)
    return answers


# labels that come late


def _is_awaited(model: Any, awaited: Awaited, arrival: Arrival, timeout: float | None) -> bool:
    """Whether a row has the id of one that was asked for and is not too long ago."""
    asked = awaited.get(arrival.id) if arrival.id is not None else None
    if asked is None or arrival.id is None:
        return False
    if _is_late(asked, arrival, timeout):
        _close(model, awaited, arrival.id)
        return False
    return True


def _is_late(asked: Asked, now: Arrival, timeout: float | None) -> bool:
    return None not in (timeout, asked.order, now.order) and now.order - asked.order > timeout


def _close(model: Any, awaited: Awaited, id: int | str) -> None:
    model.drop(id)
    del awaited[id]


def _one(model: Any, awaited: Awaited, arrival: Arrival, is_awaited: bool, how: How) -> Answer:
    """A row without a label; one whose label is awaited; or a label for which there is neither."""
    try:
        if arrival.target is None:
            return _asked(model, awaited, arrival, is_awaited, how)
        return _told(model, awaited, arrival) if is_awaited else Answer(arrival.id)
    except ValueError:
        if not how.skips:
            raise
        return Answer(arrival.id)


def _asked(model: Any, awaited: Awaited, arrival: Arrival, is_awaited: bool, how: How) -> Answer:
    """Who asks again is told the same; without an id no label can come, and so it is a prediction alone."""
    if is_awaited and arrival.id is not None:
        return Answer(arrival.id, *awaited[arrival.id][1:])
    row, known = frame_of([arrival], how.inputs, how.numeric), model.__sklearn_is_fitted__()
    if not known and (arrival.id is None or (model._classifies and how.classes is None)):
        return Answer(arrival.id)  # nothing is known that could be said
    around = _around(model, row, how)
    if arrival.id is None:
        return Answer(None, _plain(model.predict(row, "drawn"))[0], around)
    declared = {"classes": how.classes} if model._classifies and not known else {}
    ticket = model.ask(row, id=arrival.id, **declared)
    awaited[arrival.id] = Asked(arrival.order, ticket.prediction, around)
    return Answer(arrival.id, ticket.prediction, around)


def _told(model: Any, awaited: Awaited, arrival: Arrival) -> Answer:
    assert arrival.id is not None
    asked = awaited[arrival.id]
    model.tell(arrival.id, arrival.target)
    del awaited[arrival.id]
    return Answer(arrival.id, asked.prediction, asked.around, _error(model, asked.prediction, arrival.target))


# labels that are there


def _learned(model: Any, arrivals: list[Arrival], how: How) -> list[Answer]:
    """Rows with labels. Intervals are what is known before each row, so with them it is one row after the other."""
    pieces = [arrivals] if how.interval is None else [[arrival] for arrival in arrivals]
    return [answer for piece in pieces if piece for answer in _piece(model, piece, how)]


def _piece(model: Any, arrivals: list[Arrival], how: How) -> list[Answer]:
    try:
        return _progressive(model, arrivals, how)
    except ValueError:
        if not how.skips:
            raise
    if len(arrivals) == 1:
        return [Answer(arrivals[0].id)]
    return [answer for arrival in arrivals for answer in _piece(model, [arrival], how)]


def _progressive(model: Any, arrivals: list[Arrival], how: How) -> list[Answer]:
    rows, targets = frame_of(arrivals, how.inputs, how.numeric), np.array([arrival.target for arrival in arrivals])
    declared, knows = {}, model.__sklearn_is_fitted__()
    if model._classifies and not knows:
        # The classes of a first call would be all that it has, which depends on the cut; so it is told of one.
        declared["classes"] = targets[:1] if how.classes is None else how.classes
    around = _around(model, rows, how) if how.interval is not None else None
    said = _plain(model.progressive_fit(rows, targets, **declared))
    if model._classifies and not knows and how.classes is None:
        said[0] = None  # it knew of no class
    return [
        Answer(arrival.id, one, around, _error(model, one, arrival.target))
        for arrival, one in zip(arrivals, said, strict=True)
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


# what is awaited, as text


def written(awaited: Awaited) -> str | None:
    return json.dumps([[id, *asked] for id, asked in awaited.items()]) if awaited else None


def read(text: str | None) -> Awaited:
    return {id: Asked(*rest) for id, *rest in json.loads(text)} if text else {}
