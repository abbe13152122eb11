"""Values as JSON and back: parameters, kernels, names and labels; and which parts from outside a file names."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from functools import cache
from typing import Any

import numpy as np

from kernelpick.columns.inputs import Input
from kernelpick.core.algorithms import ALGORITHMS, OURS, Algorithm, Size
from kernelpick.core.kernels import KERNELS, Kernel, name_of
from kernelpick.core.losses import LOSSES
from kernelpick.core.numerics.cache import is_foreign
from kernelpick.core.parts import PARTS

PLAIN = (type(None), bool, int, str)
DECODED = (float, *PLAIN)
AXES = ("space", "learner", "selector")
KNOWN: dict[str, Mapping[str, Any]] = {"algorithm": ALGORITHMS, "loss": LOSSES, "kernel": KERNELS, **PARTS}


def encode(value: Any) -> Any:
    """value as JSON; what JSON does not have becomes {"type": ..., "value": ...}."""
    kind = type(value)
    if kind in PLAIN:  # usually
        return value
    if kind is list:
        return [encode(item) for item in value]
    if isinstance(value, np.generic):
        return encode(value.item())
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if np.isfinite(value) else {"type": "float", "value": repr(value)}
    if isinstance(value, Kernel):
        return {"type": "kernel", "value": {"family": name_of(value), **{f: getattr(value, f) for f in _names(kind)}}}  # type: ignore[arg-type]
    if isinstance(value, Algorithm):
        return {"type": "algorithm", "value": _encoded_algorithm(value)}
    if isinstance(value, Input):
        return {"type": "input", "value": [encode(value.column), value.part, value.value]}
    if isinstance(value, type) and PARTS["companion"].get(getattr(value, "name", "")) is value:
        return value.name  # type: ignore[attr-defined]
    if isinstance(value, tuple) and hasattr(value, "classifies"):
        return {"type": "loss", "value": _encoded_loss(value)}
    if isinstance(value, np.ndarray) and value.dtype.kind in "biufUO" and value.ndim == 1:
        return {"type": "array", "value": [value.dtype.str if value.dtype.kind != "O" else "O", encode(list(value))]}
    if isinstance(value, tuple):
        return {"type": "tuple", "value": [encode(item) for item in value]}
    if isinstance(value, list):
        return [encode(item) for item in value]
    if isinstance(value, dict):
        return {"type": "dict", "value": [[encode(key), encode(item)] for key, item in value.items()]}
    raise ValueError(f"{value!r} can't be saved: only numbers, strings, kernels and lists of these can.")


@cache
def _names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))  # type: ignore[arg-type]


def _encoded_loss(loss: Any) -> dict[str, Any]:
    return {"name": _name_of_loss(loss), **loss._asdict()}


def _encoded_algorithm(value: Algorithm) -> dict[str, Any]:
    told: dict[str, Any] = {kind: getattr(value, kind).name for kind in AXES}
    if value.beyond is not None:
        told["beyond"] = value.beyond.name
    if value.size != Size():
        told["size"] = value.size._asdict()
    return told | ({"fits": list(value.fits)} if value.fits else {})


def _decoded_algorithm(value: Any) -> Algorithm:
    beyond = PARTS["learner"][value["beyond"]] if "beyond" in value else None
    space, learner, selector = (value[kind] for kind in AXES)
    return Algorithm(space, learner, selector, beyond, tuple(map(int, value.get("fits", ()))), _size(value))


def _size(value: Any) -> Size:
    """That of an algorithm, whose numbers compiled code leans on."""
    size, usual = Size()._replace(**value.get("size", {})), Size()
    for given, other in zip(size, usual, strict=True):
        if type(given) is not type(other) or (type(other) is int and given < 1):
            raise ValueError(f"{size} is no size of an algorithm")
    return size


def _name_of_loss(loss: Any) -> str:
    name = getattr(loss, "name", type(loss).__name__)
    if type(LOSSES.get(name)) is not type(loss):
        raise ValueError(
            f"The loss {name!r} has no name to be saved by: kernelpick.register({name!r}, {type(loss).__name__}()) "
            "gives it one."
        )
    return str(name)


def foreign(*given: Mapping[str, Any]) -> list[list[str]]:
    """The parts from outside the package that these parameters name, as [kind, name], each once."""
    return [list(one) for one in dict.fromkeys(part for params in given for part in _foreign(params))]


def _foreign(params: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    algorithm, loss, kernels = params["algorithm"], params["loss"], params["kernels"]
    if isinstance(algorithm, str) and algorithm in ALGORITHMS and algorithm not in OURS:
        yield "algorithm", algorithm
    row = ALGORITHMS.get(algorithm) if isinstance(algorithm, str) else algorithm
    if isinstance(row, Algorithm):
        parts = [(kind, getattr(row, kind)) for kind in AXES] + [("learner", row.beyond)] * (row.beyond is not None)
        yield from ((kind, str(part.name)) for kind, part in parts if is_foreign(part))
    loss = LOSSES.get(loss) if isinstance(loss, str) else loss
    if loss is not None and is_foreign(type(loss)):
        yield "loss", _name_of_loss(loss)
    for kernel in kernels if isinstance(kernels, list | tuple) else [kernels]:
        if isinstance(kernel, Kernel) and is_foreign(type(kernel)):
            yield "kernel", name_of(kernel)
    yield from _foreign_companions(params.get("companions"))


def _foreign_companions(given: Any) -> Iterator[tuple[str, str]]:
    for one in given if isinstance(given, list | tuple) else ():
        cls: Any = PARTS["companion"].get(str(getattr(one, "name", one)))
        if cls is not None and is_foreign(cls):
            yield "companion", str(cls.name)


def unknown(named: Any) -> list[str]:
    """Those of the parts that a file names which nobody has registered here."""
    return [f"the {kind} {name!r}" for kind, name in named if name not in KNOWN[kind]]


def decode(value: Any) -> Any:
    """The inverse of encode."""
    if type(value) in DECODED:  # usually
        return value
    if isinstance(value, list):
        return [decode(item) for item in value]
    return DECODERS[value["type"]](value["value"]) if isinstance(value, dict) else value


def _decode_array(value: Any) -> np.ndarray:
    dtype, items = value
    if dtype != "O":
        return np.array(decode(items), dtype=np.dtype(str(dtype)))
    array = np.empty(len(items), dtype=object)
    array[:] = decode(items)
    return array


DECODERS: dict[str, Callable[[Any], Any]] = {
    "float": float,
    "kernel": lambda value: KERNELS[value["family"]](**{k: v for k, v in value.items() if k != "family"}),
    "algorithm": _decoded_algorithm,
    "loss": lambda value: type(LOSSES[value["name"]])(**{k: v for k, v in value.items() if k != "name"}),
    "input": lambda value: Input(decode(value[0]), *value[1:]),
    "array": _decode_array,
    "tuple": lambda value: tuple(decode(value)),
    "dict": lambda value: {decode(key): decode(item) for key, item in value},
}
