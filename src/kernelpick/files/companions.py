"""The companions of a model as named arrays, and back; what compiled code could follow out of an array is refused."""

import numpy as np

from kernelpick.core import Specification
from kernelpick.core.companions import companion_of
from kernelpick.core.numerics.panels import padded
from kernelpick.core.parts import arrays_of, described
from kernelpick.files.checks import counter
from kernelpick.online.companions import Companions

STACK = ("weights", "trust", "seen")


def pack(companions: Companions | None, spec: Specification) -> dict[str, np.ndarray]:
    """All that is learned, by name; what is under way is brought to an end, since it has scratch that is not kept."""
    if not companions:
        return {}
    companions.settle(spec)
    return arrays(companions)


def arrays(companions: Companions, given: bool = False) -> dict[str, np.ndarray]:
    """The arrays by name; on demand those that follow from the specification, too, and scratch."""
    found = {"companions.rows": companions.rows}
    found |= {f"companions.{name}": getattr(companions.stack, name) for name in STACK}
    for part in companions.parts:
        for name, (array, axes) in arrays_of(part).items():
            if given or not axes.given:
                found[f"companions.{part.name}.{name}"] = array
    return found


def unpack(spec: Specification, names: tuple[str, ...], saved: dict[str, np.ndarray]) -> Companions | None:
    """Files of earlier versions have none, and go on without."""
    if not names or "companions.weights" not in saved:
        return None
    for name in names:
        _check_lengths(spec, name, saved)
    companions = Companions(spec, names)
    for name, array in arrays(companions).items():
        if saved[name].shape != array.shape or saved[name].dtype != array.dtype:
            raise ValueError(f"{name} is {saved[name].dtype}{saved[name].shape}, not {array.dtype}{array.shape}")
        if array.dtype.kind == "f" and np.isnan(saved[name]).any():
            raise ValueError(f"{name} is not made of numbers")
        array[...] = saved[name]
    weights, trust = companions.stack.weights, companions.stack.trust
    if not (np.isfinite(weights).all() and np.isfinite(trust).all() and (np.diagonal(trust, 0, 1, 2) > 0.0).all()):
        raise ValueError("the weights of companions are wrong")
    counter(int(companions.rows[0]))
    for part in companions.parts:
        if hasattr(part, "checked"):
            part.checked()
    return companions


def _check_lengths(spec: Specification, name: str, saved: dict[str, np.ndarray]) -> None:
    """Before anything as large as a file claims is made."""
    cls, problem = companion_of(name), spec.problem(1)
    lengths = problem.lengths(padded(problem.weights))
    for field, axes in described(cls).items():
        if axes.given or spec.n_inputs > cls.most_inputs:
            continue
        shape = saved[f"companions.{name}.{field}"].shape
        wanted = [lengths.get(axis) if isinstance(axis, str) else axis for axis in axes.axes]
        if len(shape) != len(wanted) or any(n not in (None, m) for n, m in zip(wanted, shape, strict=True)):
            raise ValueError(f"companions.{name}.{field} is {shape}, where its axes are {axes.axes}")
