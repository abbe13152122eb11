"""States of the core from the arrays of a file: the model's own, and that of the memories beside its leader."""

from typing import Any

import numpy as np

from kernelpick import core
from kernelpick.core import Specification, state
from kernelpick.core.problem import Problem
from kernelpick.core.stream import tuned
from kernelpick.files.checks import counter
from kernelpick.online.line import arrays
from kernelpick.online.memories import MOST_OUTPUTS, PACES, PLACES, TODAY, Memories

MEMORIES = ("arm", "places", "scale", "pace")


def named(prefix: str, arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Those of the arrays whose names begin so, by the rest of their names."""
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}


def restored(spec: Specification, problem: Problem, own: dict[str, np.ndarray]) -> core.State:
    """The state whose arrays these are, by name, with every index checked that compiled code will follow."""
    # First the sizes that the file claims and does have, so that nothing larger than the file is made.
    state.check_lengths(spec.row, problem, own)
    fresh = core.start(spec)
    state.check_shapes(fresh, own)
    return tuned(spec, state.restore(fresh, own), always=True)[0]


def arrays_of_memories(memories: Memories) -> dict[str, np.ndarray]:
    """By name."""
    return state.arrays(memories.state) | {f"line.{name}": array for name, array in _learned_by(memories).items()}


def packed_memories(memories: Memories) -> dict[str, Any]:
    return {name: getattr(memories, name) for name in MEMORIES}


def memories(spec: Specification, about: dict[str, Any] | None, own: dict[str, np.ndarray]) -> Memories | None:
    """The memories of a file; those of versions 1 to 3 have none, and go on without."""
    if about is None:
        return None
    arm, places = counter(about["arm"], len(spec.kernels) - 1), counter(about["places"], min(PLACES, spec.n_inputs))
    scale, pace = float(about["scale"]), counter(about.get("pace", _by_size(spec, own)), TODAY)
    if places < 1 or not 0.0 < scale <= 1.0 or spec.n_outputs > MOST_OUTPUTS:
        raise ValueError("the memories are wrong")
    found = Memories(spec, arm, places, scale, pace)
    line = named("line.", own)
    found.take(restored(found.spec, found.spec.problem(1), {name: own[name] for name in own if name[:5] != "line."}))
    for name, array in _learned_by(found).items():
        saved = line[name]
        if saved.shape != array.shape or saved.dtype != array.dtype or np.isnan(saved).any():
            raise ValueError(f"the line beside the memories is wrong: {name}")
        array[...] = saved
    if found.line is not None:
        found.line.checked()
    return found


def _learned_by(memories: Memories) -> dict[str, np.ndarray]:
    return {} if memories.line is None else arrays(memories.line)


def _by_size(spec: Specification, own: dict[str, np.ndarray]) -> int:
    """The pace of files that do not tell it: the last one with as many pairs as they have, and no line."""
    pairs = [min(pace.pairs, spec.n_features) for pace in PACES if pace.others == 1]
    return max((i for i, each in enumerate(pairs) if each == own["space.frequencies"].shape[-1]), default=TODAY)
