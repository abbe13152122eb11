"""What a part of an algorithm is, and how it describes itself.

A part (a space, a learner or a selector) is a named tuple class of numbers and arrays. Its annotations tell what the
axes of every array mean; its class says how it is built from a problem, its operations, and facts about it. Whatever
walks over parts (growing by columns and classes, restarts, model files, adding up shards, lists of names) follows from
that. A part that says too little is refused when it is declared, in a sentence.
"""

import inspect
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, get_type_hints

import numpy as np

from kernelpick.core.numerics.cache import is_foreign
from kernelpick.core.numerics.compilation import Operation, takes_in

C = TypeVar("C", bound=type)

# Words for lengths that follow from the problem: kernels, places that a selector gives them (by default one each),
# outputs, inputs (columns), frequencies, weights of one output of a hypothesis, these rounded up to whole panels, and
# rows that a learner takes in at a time. Other words, OWN, are lengths that only the part itself knows; a number is a
# length itself.
LENGTHS = ("arms", "seats", "outputs", "inputs", "features", "weights", "order", "batch")
OWN = ("pool", "groups", "families", "parameters", "panels", "padded")
ADDED = ("sum", "mean", "least", "most", "same", "own")


class Axes:
    """Of an array: the meaning of its axes, and what becomes of it."""

    def __init__(
        self,
        *axes: str | int,
        fresh: float = 0.0,
        given: bool = False,
        even: bool = False,
        adds: str = "own",
        of: Any = float,
    ) -> None:
        """
        fresh   what an entry is before anything is learned
        given   the array follows from the problem and is not learned: it is not saved, and not started afresh
        even    it is the same for f and -f: an output that changes its sign keeps it
        adds    how the arrays of two shards are added up: their "sum", their "mean" by rounds, the "least" or the
                "most" of them, or they are the "same"; "own": not entry by entry, but as the part's class says by
                `added` (see shards.py)
        of      the type of its entries; only parts of a union (unions.py) need to tell it
        """
        if adds not in ADDED:
            raise ValueError(f"adds={adds!r} is none of {', '.join(ADDED)}.")
        for axis in axes:
            if isinstance(axis, str) and axis not in (*LENGTHS, *OWN):
                raise ValueError(f"An axis called {axis!r} is not known: it can be {', '.join((*LENGTHS, *OWN))}.")
        self.axes, self.fresh, self.given, self.even, self.adds, self.of = axes, fresh, given, even, adds, of

    def where(self, axis: str) -> int | None:
        """The number of the axis with that meaning."""
        return self.axes.index(axis) if axis in self.axes else None


class Contract(NamedTuple):
    """What parts of a kind must say: operations, and facts with the usual answer."""

    kind: str
    operations: dict[str, Operation]
    facts: dict[str, Any]


PARTS: dict[str, dict[str, type]] = {"space": {}, "learner": {}, "selector": {}, "companion": {}}
FIELDS = {"selector": ("p",)}  # that the loop looks at
_names: dict[str, type] = {}  # of the classes that compiled code is given


def declare(contract: Contract, name: str, facts: dict[str, Any]) -> Callable[[C], C]:
    """A decorator that checks a part and makes it known by its name, with facts about it."""
    unknown = [fact for fact in facts if fact not in contract.facts]
    if unknown:
        raise TypeError(
            f"The {contract.kind} {name!r} says {unknown[0]}, which is no fact: there are {', '.join(contract.facts)}."
        )

    def add(cls: C) -> C:
        who = f"The {contract.kind} {name!r} ({cls.__name__})"
        if not (issubclass(cls, tuple) and hasattr(cls, "_fields")):
            raise TypeError(f"{who} must be a NamedTuple of numbers and arrays.")
        if "build" not in dir(cls):
            raise TypeError(f"{who} does not say how it is built: a class method build(cls, problem) is missing.")
        twice = [fact for fact in contract.facts if fact in cls._fields]  # type: ignore[attr-defined]
        if twice:
            raise TypeError(
                f"{who} has a field {twice[0]}, which is the name of a fact: call the field something else."
            )
        missing = [operation for operation in contract.operations if getattr(cls, operation, None) is None]
        if missing:
            raise TypeError(f"{who} lacks the operations {', '.join(missing)}; see {_home(contract.kind)}.")
        for operation, wanted in contract.operations.items():
            _check_arguments(f"{who}: {operation}", getattr(cls, operation), wanted)
        afresh = contract.kind == "selector" and facts.get("restarts", getattr(cls, "restarts", False))
        fields = (*FIELDS.get(contract.kind, ()), *(("fresh",) if afresh else ()))
        for field in fields:
            if field not in cls._fields:  # type: ignore[attr-defined]
                raise TypeError(f"{who} must have a field {field}, an array of all arms; see {_home(contract.kind)}.")
        arrays = described(cls)
        for field, axes in arrays.items():
            if not isinstance(axes, Axes):
                raise TypeError(f"{who}: the axes of {field} are not told; write Annotated[np.ndarray, Axes(...)].")
        known = PARTS[contract.kind].get(name)
        if known is not None and (known.__qualname__ != cls.__qualname__ or not is_foreign(known)):
            raise ValueError(f"There is a {contract.kind} {name!r} already: choose another name.")
        for fact, usual in contract.facts.items():
            if fact in facts or not hasattr(cls, fact):
                setattr(cls, fact, facts.get(fact, usual))
        cls.name = name  # type: ignore[attr-defined]
        tell_apart(cls)
        takes_in(cls.__module__)
        PARTS[contract.kind][name] = cls
        return cls

    return add


def _check_arguments(who: str, function: Any, operation: Any) -> None:
    """Refuse an operation that can't be called as it will be, before the compiler does so in words of its own."""
    own, wanted = inspect.signature(getattr(function, "py_func", function)), inspect.signature(operation)
    try:
        own.bind(*wanted.parameters)
    except TypeError as error:
        raise TypeError(f"{who}{own} can't take what it is given, ({', '.join(wanted.parameters)}): {error}.") from None


def _home(kind: str) -> str:
    return f"docs/extend.md or kernelpick.core.{kind}s"


def tell_apart(cls: type) -> None:
    """Make sure that no other class that compiled code is given has the same name.

    Numba's dispatcher knows a named tuple by the name of its class and the types of its fields alone: of two classes of
    one name, as when a cell of a notebook is run again after an edit, it would run the code of the first for both.
    """
    name, count = cls.__name__, 1
    while _names.setdefault(cls.__name__, cls) is not cls:
        count += 1
        cls.__name__ = f"{name}_{count}"


def with_operations(cls: Any, *functions: Any) -> Any:
    """The class with these operations, where it has none of its own."""
    for function in functions:
        if function.__name__ not in vars(cls):
            setattr(cls, function.__name__, staticmethod(function))
    return cls


@cache
def described(cls: Any) -> dict[str, Axes]:
    """The arrays of a part by name, with their axes."""
    hints = get_type_hints(cls, include_extras=True)
    plain = get_type_hints(cls)
    arrays = {name: hint for name, hint in hints.items() if plain[name] is np.ndarray and name in cls._fields}
    return {name: next(iter(getattr(hint, "__metadata__", ())), None) for name, hint in arrays.items()}  # type: ignore[misc]


def arrays_of(part: Any) -> dict[str, tuple[np.ndarray, Axes]]:
    """The arrays of a part, with their axes."""
    cls: Any = type(part)
    return {name: (getattr(part, name), axes) for name, axes in described(cls).items()}


def changed(part: Any, change: Callable[[np.ndarray, Axes], np.ndarray]) -> Any:
    """The part with every array replaced by what the change makes of it."""
    return part._replace(**{name: change(array, axes) for name, (array, axes) in arrays_of(part).items()})


def restart(part: Any, arm: int, seat: int) -> None:
    """What the part knows of a hypothesis is forgotten, in place."""
    for array, axes in arrays_of(part).values():
        if not axes.given and axes.axes[0] in ("arms", "seats"):
            array[arm if axes.axes[0] == "arms" else seat] = axes.fresh


def classes_beside(file: str, package: str, leave_out: tuple[str, ...] = ("__init__", "contract")) -> list[type]:
    """The classes that the modules of a folder define, in the order of the files."""
    stems = sorted(path.stem for path in Path(file).parent.glob("*.py") if path.stem not in leave_out)
    modules = [import_module(f"{package}.{stem}") for stem in stems]
    return [c for m in modules for c in vars(m).values() if inspect.isclass(c) and c.__module__ == m.__name__]
