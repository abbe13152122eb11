"""Parts that are one type in compiled code, so that one compiled loop serves all of them.

Every combination of types is a loop of its own, and takes seconds to compile. Parts that differ in little are therefore
handed over as one record, a tagged union: an array of numbers, of which the first tells the member, and as many arrays
as any member has. Compiled code opens it once a call: then it has the fields of all members by name, of which those of
its member are true, and the operations of all of them, told apart by a switch. Nobody else sees such a record. What is
in no union, as all parts from outside the package, remains a type of its own. Newton has one more array there.
"""

import inspect
from collections import namedtuple
from collections.abc import Iterable
from functools import partial
from itertools import count
from typing import Any

import numpy as np

from kernelpick.core import learners, selectors
from kernelpick.core.learners.asked import room_for_asked
from kernelpick.core.learners.constant import Constant
from kernelpick.core.learners.newton import Newton
from kernelpick.core.learners.normalised import Normalised
from kernelpick.core.learners.reservoir import Reservoir
from kernelpick.core.learners.ridge import Ridge
from kernelpick.core.learners.smooth import Smooth
from kernelpick.core.numerics.compilation import operation, switch
from kernelpick.core.parts import described, tell_apart
from kernelpick.core.selectors.adaptive import Adaptive
from kernelpick.core.selectors.discounted import Discounted
from kernelpick.core.selectors.exp3 import Exp3
from kernelpick.core.selectors.hedge import Hedge
from kernelpick.core.selectors.leader import Leader
from kernelpick.core.selectors.linear_hedge import LinearHedge
from kernelpick.core.selectors.tsallis import Tsallis

_pack: dict[type, Any] = {}  # for the members of all unions


def packed(part: Any) -> Any:
    """What is handed to compiled code for the part; arrays are shared, not copied."""
    pack = _pack.get(type(part))
    return part if pack is None else pack(part)


def _itself(part: Any) -> Any:
    return part


@partial(operation, otherwise=_itself)
def opened(part: Any) -> Any:
    """In compiled code: the part, or for a record what has the fields of all members and their operations.

    It borrows the arrays: only what counts no references may ask for it (see numerics/compilation.py, ``inner``).
    """


def union(name: str, members: list[Any], operations: Iterable[str]) -> Any:
    """The record for parts of these classes, whose numbers are floats; a field means the same in all."""
    places = _places(members)
    numbers = dict.fromkeys(field for member in members for field in member._fields if field not in places)
    every = {field: axes for member in members for field, axes in described(member).items()}
    absent = {places[field]: np.zeros((0,) * len(axes.axes), axes.of) for field, axes in every.items()}
    record, fields = _class(name, ["numbers", *absent]), _class(f"{name}Opened", ["member", *numbers, *places])

    def pack(part: Any) -> Any:
        own = part._asdict()
        head = [members.index(type(part)), *(own.get(field, 0.0) for field in numbers)]
        arrays = absent | {place: own[field] for field, place in places.items() if field in own}
        return record(np.array(head, dtype=float), **arrays)

    for each in operations:
        switched = staticmethod(_switched([getattr(member, each) for member in members]))
        for cls in (record, fields):  # the record, too: the loop asks for notes before it opens it
            setattr(cls, each, switched)
    record.opened = staticmethod(_opening(fields, len(numbers), list(places.values())))
    _pack.update(dict.fromkeys(members, pack))
    return record


def with_asked(cls: Any) -> None:
    """The same for a learner that notes down what it was asked about (learners/asked.py): with room for that."""
    beside = _class(f"{cls.__name__}Asked", [*cls._fields, "asked"])
    for each in learners.CONTRACT.operations:
        setattr(beside, each, staticmethod(getattr(cls, each)))
    _pack[cls] = lambda part: beside(*part, room_for_asked(part))


def forget_asked(part: Any) -> None:
    """What is handed to compiled code has changed in some other way than by learning."""
    if hasattr(part, "asked"):
        part.asked[:, 0] = 0.0


def _class(name: str, fields: list[str]) -> Any:
    """A class of named tuples that Numba's cache finds again by its name."""
    make: Any = namedtuple
    cls = make(name, fields, module=__name__)
    tell_apart(cls)
    globals()[name] = cls
    return cls


def _places(members: list[Any]) -> dict[str, str]:
    """Where the record has each array: those that no member has together may share a place, since arrays cost time."""
    places: dict[str, str] = {}
    kinds = [np.dtype(float)]  # of entries, by number in the names of places
    for field, axes in {field: axes for member in members for field, axes in described(member).items()}.items():
        beside = {places.get(other) for member in members if field in member._fields for other in member._fields}
        kind = np.dtype(axes.of)
        kinds += [kind] * (kind not in kinds)
        of = f"of_{len(axes.axes)}" + f"_{kinds.index(kind)}" * (kind.kind != "f")
        free = (f"array_{i}_{of}" for i in count())
        places[field] = next(place for place in free if place not in beside)
    return places


def _opening(fields: Any, numbers: int, places: list[str]) -> Any:
    """The function that gives the record's content its names, written out as compiled code can't loop over fields."""
    content = [*(f"float(record.numbers[{i}])" for i in range(1, 1 + numbers)), *(f"record.{p}" for p in places)]
    return eval(f"lambda record: fields(int(record.numbers[0]), {', '.join(content)})", {"fields": fields})


def _switched(functions: list[Any]) -> Any:
    """The operation of all members; where several share their code, it is one alternative, the most frequent last."""
    groups: dict[Any, list[int]] = {}
    for number, function in enumerate(functions):
        groups.setdefault(function if function.__closure__ else function.__code__, []).append(number)
    *steps, last = sorted(groups.values(), key=len)
    arguments = ", ".join(list(inspect.signature(functions[0]).parameters)[1:])
    conditions = {" or ".join(f"part.member == {n}" for n in step): functions[step[0]] for step in steps}
    return switch(conditions, arguments, functions[last[0]]) if steps else functions[0]


union(
    "GradientLearner",
    [Constant, Smooth, Normalised, Ridge, Reservoir],
    [*learners.CONTRACT.operations, "rate", "shrinkage"],
)
with_asked(Newton)
union("AutoSelector", [Leader, Discounted], selectors.CONTRACT.operations)
union("PaperSelector", [Exp3, Adaptive, Tsallis, Hedge, LinearHedge], selectors.CONTRACT.operations)
