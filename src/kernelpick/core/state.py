"""The state of a stream: parts and books, nothing but named numbers and arrays."""

from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np

from kernelpick.core import parts
from kernelpick.core.numerics.held import Held
from kernelpick.core.numerics.panels import padded
from kernelpick.core.parts import arrays_of, changed
from kernelpick.core.problem import Problem
from kernelpick.core.unions import forget_asked, packed

P = TypeVar("P", bound=tuple)
PARTS = ("space", "learner", "selector")
CLOCK, TOTAL, ARMS = 0, 1, 2  # places in the ledger: rounds, sum of all loss estimates, and that of each arm


class _Fields(NamedTuple):
    space: Any
    learner: Any
    selector: Any
    ledger: np.ndarray  # (2 + K,) see rounds.Ledger


class State(_Fields):
    """Everything that changes, and the rates of the current epoch."""

    @cached_property
    def packed(self) -> Held:
        """What compiled code is given: the same arrays, see unions.py. It is made once, for calls of single rows."""
        return Held((self.space, packed(self.learner), packed(self.selector), self.ledger))

    @cached_property
    def seats(self) -> np.ndarray:
        """(K,) where the learner keeps what it knows of each arm; -1 for those that do not take part."""
        return getattr(self.selector, "seat", np.arange(len(self.probabilities)))  # type: ignore[no-any-return]

    @cached_property
    def machine_code(self) -> dict[Any, Any]:
        """Compiled functions for the types of this state, by what else they depend on; see stream.py."""
        return {}

    def share_code(self, other: "State") -> None:
        """Of a state whose parts have the same types: what one of the two finds, which takes long, the other has."""
        self.machine_code = other.machine_code

    def __getstate__(self) -> None:
        """Copies and pickles are of the parts alone."""

    @property
    def clock(self) -> np.ndarray:
        """(1,) the rounds so far, as they are counted."""
        return self.ledger[CLOCK : CLOCK + 1]

    @property
    def rounds(self) -> int:
        return int(self.ledger.item(CLOCK))

    @property
    def probabilities(self) -> np.ndarray:
        """p: the probability of each kernel in the next round, or its weight where all of them play."""
        return self.selector.p  # type: ignore[no-any-return]

    @property
    def leader(self) -> int:
        """The arm with the largest p."""
        return int(self.probabilities.argmax())

    @property
    def losses(self) -> np.ndarray:
        """(K,) the loss of each arm in a round, as the selector estimates it; NaN where nothing is known.

        Of estimates of the selector's own, only differences count.
        """
        own = getattr(self.selector, "estimates", None)
        return self.ledger[ARMS:] / max(self.rounds, 1) if own is None else own  # type: ignore[no-any-return]

    def seat(self, arm: int) -> int:
        return int(self.seats[arm])


def build(algorithm: Any, problem: Problem) -> State:
    """The state before the first round."""
    learner = algorithm.learner_for(problem.inputs, problem.steady)
    classes = algorithm.space, learner, algorithm.selector
    built = [_sound(cls.build(problem), problem) for cls in classes]
    return State._make([*built, np.zeros(ARMS + problem.arms)])


def _sound(part: Any, problem: Problem) -> Any:
    """The part, if its arrays are as long as their axes say: compiled code does not look."""
    lengths = problem.lengths(padded(problem.weights))
    for name, (array, axes) in arrays_of(part).items():
        wanted = [lengths.get(axis) if isinstance(axis, str) else axis for axis in axes.axes]
        fits = array.ndim == len(wanted) and all(n in (None, m) for n, m in zip(wanted, array.shape, strict=True))
        if not (fits and array.flags.c_contiguous):
            raise ValueError(
                f"{type(part).__name__}.build made {name} of shape {array.shape}, where its axes say {axes.axes}: "
                f"{', '.join(f'{axis} = {n}' for axis, n in zip(axes.axes, wanted, strict=True) if n is not None)}."
            )
    return part


def with_rates(old: P, new: P) -> P:
    """The new part, whose rates are those of another epoch, with the arrays of the old one."""
    return new._replace(**{name: array for name, (array, _) in arrays_of(old).items()})  # type: ignore[attr-defined, no-any-return]


def start_afresh(state: State) -> None:
    """Hypotheses that the selector has marked forget everything."""
    for arm in np.flatnonzero(state.selector.fresh).tolist():
        for part in (state.space, state.learner):
            own = getattr(part, "restarted", None)
            own(arm, state.seat(arm)) if own else parts.restart(part, arm, state.seat(arm))
    state.selector.fresh[:] = 0
    forget_asked(state.packed.value[1])


def copy(state: State) -> State:
    """An independent state."""
    own = [changed(part, lambda array, _: array.copy()) for part in state[:3]]
    return State._make([*own, state.ledger.copy()])


def arrays(state: State) -> dict[str, np.ndarray]:
    """All arrays that are learned, by name: with the specification, they are the whole of the state."""
    found = {"ledger.clock": state.ledger[:1].astype(np.int64), "ledger.total": state.ledger[1:2]}
    found["ledger.losses"] = state.ledger[2:]
    for kind in PARTS:
        for name, (array, axes) in arrays_of(getattr(state, kind)).items():
            if not axes.given:
                found[f"{kind}.{name}"] = _flat(array)
    return found


def restore(state: State, saved: dict[str, np.ndarray]) -> State:
    """The state with these arrays in the place of its own, which they have the shapes of."""
    ledger = np.concatenate([saved["ledger.clock"].astype(float), saved["ledger.total"], saved["ledger.losses"]])
    return State._make([*(_restored(kind, getattr(state, kind), saved) for kind in PARTS), ledger])


def _restored(kind: str, part: Any, saved: dict[str, np.ndarray]) -> Any:
    own = {
        name: np.array(saved[f"{kind}.{name}"], order="C").view(array.dtype)
        for name, (array, axes) in arrays_of(part).items()
        if not axes.given
    }
    restored = part._replace(**own)
    if hasattr(restored, "checked"):
        restored.checked()
    return restored


def check_lengths(algorithm: Any, problem: Problem, saved: dict[str, np.ndarray]) -> None:
    """Refuse arrays of other lengths than the problem has, before anything as large as they claim is made."""
    lengths = problem.lengths(padded(problem.weights))
    classes = algorithm.space, algorithm.learner_for(problem.inputs, problem.steady), algorithm.selector
    for kind, cls in zip(PARTS, classes, strict=True):
        for name, axes in parts.described(cls).items():
            if axes.given:
                continue
            shape = saved[f"{kind}.{name}"].shape
            for place, axis in enumerate(axes.axes):
                known = lengths.get(axis) if isinstance(axis, str) else None
                if known is not None and (len(shape) <= place or shape[place] != known):
                    raise ValueError(f"{kind}.{name} is {shape}, where {axis} should be {known}")


def check_shapes(state: State, saved: dict[str, np.ndarray]) -> None:
    """Refuse arrays that are not of the shapes and types of a state; the pool of examples may be longer."""
    pools = {saved[f"space.{name}"].shape[:1] for name, axes in _pooled(state)}
    if len(pools) > 1:
        raise ValueError("the pools of examples differ in length")
    lengths = {f"space.{name}": next(iter(pools)) for name, _ in _pooled(state)}
    for name, array in arrays(state).items():
        shape = (*lengths[name], *array.shape[1:]) if name in lengths else array.shape
        if saved[name].shape != shape or saved[name].dtype != array.dtype:
            raise ValueError(f"{name} is {saved[name].dtype}{saved[name].shape}, not {array.dtype}{shape}")
    if not 0 <= saved["ledger.clock"][0] < 2**53:
        raise ValueError("the number of rounds is wrong")


def _pooled(state: State) -> list[tuple[str, Any]]:
    return [(name, axes) for name, (_, axes) in arrays_of(state.space).items() if axes.axes[0] == "pool"]


def _flat(array: np.ndarray) -> np.ndarray:
    """Named fields as the plain numbers they are."""
    return array.view(array.dtype[0]) if array.dtype.names else array
