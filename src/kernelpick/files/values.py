"""Values as JSON and back: parameters, kernels, names and labels."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import numpy as np

from kernelpick.core.algorithms import Algorithm
from kernelpick.core.kernels import KERNELS, Kernel, name_of
from kernelpick.core.losses import LOSSES

AXES = ("space", "learner", "selector", "beyond", "fits")


def encode(value: Any) -> Any:
    """value as JSON; what JSON does not have becomes {"type": ..., "value": ...}."""
    if isinstance(value, np.generic):
        return encode(value.item())
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if np.isfinite(value) else {"type": "float", "value": repr(value)}
    if isinstance(value, Kernel):
        return {"type": "kernel", "value": {"family": name_of(value), **asdict(value)}}
    if isinstance(value, Algorithm):
        return {"type": "algorithm", "value": {kind: _name(getattr(value, kind)) for kind in AXES}}
    if type(value) in map(type, LOSSES.values()):
        return {"type": "loss", "value": {"name": value.name, **value._asdict()}}
    if isinstance(value, np.ndarray) and value.dtype.kind in "biufUO" and value.ndim == 1:
        return {"type": "array", "value": [value.dtype.str if value.dtype.kind != "O" else "O", encode(list(value))]}
    if isinstance(value, tuple):
        return {"type": "tuple", "value": [encode(item) for item in value]}
    if isinstance(value, list):
        return [encode(item) for item in value]
    if isinstance(value, dict):
        return {"type": "dict", "value": [[encode(key), encode(item)] for key, item in value.items()]}
    raise ValueError(f"{value!r} can't be saved: only numbers, strings, kernels and lists of these can.")


def _name(part: Any) -> Any:
    """A part of an algorithm by its name."""
    return getattr(part, "name", None) or encode(part)


def decode(value: Any) -> Any:
    """The inverse of encode."""
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
    "algorithm": lambda value: Algorithm(**{kind: decode(part) for kind, part in value.items()}),
    "loss": lambda value: type(LOSSES[value["name"]])(**{k: v for k, v in value.items() if k != "name"}),
    "array": _decode_array,
    "tuple": lambda value: tuple(decode(value)),
    "dict": lambda value: {decode(key): decode(item) for key, item in value},
}
