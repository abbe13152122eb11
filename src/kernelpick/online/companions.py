"""The companions of a model: what they say beside the kernels, joined with these by the stack of core.companions.stack.

The parts of one stream in one place: they are played with its rounds, asked for its predictions, start again when the
kernels are challenged, and grow with its inputs and outputs.
"""

import copy
from typing import Any

import numpy as np

from kernelpick.core import Outcome, Specification
from kernelpick.core.companions import NOT_HEARD, companion_of, learn_rows, predict_rows, settle_all, start_again
from kernelpick.core.companions.boosted_trees import BoostedTrees
from kernelpick.core.companions.stack import Stack, fresh_stack, join, learn_to_join, pooled_stack
from kernelpick.core.growth import remapped
from kernelpick.core.loop import Rows
from kernelpick.core.numerics.compilation import machine_code
from kernelpick.core.numerics.held import Held
from kernelpick.core.parts import arrays_of
from kernelpick.core.record import SAID
from kernelpick.core.stream import ROWS
from kernelpick.online.said import part_of

USUAL: tuple[str, ...] = (BoostedTrees.name,)  # type: ignore[attr-defined]  # what "auto" has beside its kernels
KERNELS = "kernels"  # the name of the first part of the stack
_1, _2, _3 = np.zeros(1), np.zeros((1, 1)), np.zeros((1, 1, 1))
NOTHING = np.zeros((0, 1))


class Companions:
    """Of the names that a plan has, those that can do with the inputs."""

    def __init__(self, spec: Specification, names: tuple[str, ...]) -> None:
        classes, problem = [companion_of(name) for name in names], spec.problem(1)
        self.parts: list[Any] = [cls.build(problem) for cls in classes if spec.n_inputs <= cls.most_inputs]
        self.stack = _fresh(spec, 1 + len(self.parts))
        self.rows = np.zeros(1, np.int64)  # since they last started
        self._held: dict[str, Held] = {}

    def __bool__(self) -> bool:
        return bool(self.parts)

    @property
    def names(self) -> list[str]:
        return [KERNELS, *(part.name for part in self.parts)]

    def shares(self, n_inputs: int) -> dict[str, Any]:
        """What the prediction is made of: the weight of each part, or of several outputs a list of them.

        As long as one has nothing to say, to any row, kernels speak alone.
        """
        speak = np.isfinite(self._said(np.zeros((1, n_inputs)))).all()
        alone = np.repeat([np.eye(len(self.names))[0]], len(self.stack.weights), 0)
        columns = (self.stack.weights if speak else alone).T.tolist()
        return {name: own[0] if len(own) == 1 else own for name, own in zip(self.names, columns, strict=True)}

    def joined(self, X: np.ndarray, values: np.ndarray) -> np.ndarray:
        """What all say together to scaled rows, to which kernels say the values (T, M)."""
        values = np.ascontiguousarray(values)
        _code(join, self.stack, _2, _3)(self.stack, values, self._said(X))
        return values

    def _said(self, X: np.ndarray) -> np.ndarray:
        """(companions, T, M)"""
        said = np.empty((len(self.parts), len(X), len(self.stack.weights)))
        for part, own in zip(self.parts, said, strict=True):
            held = self.held(part)
            _code(predict_rows, held, _2, _2)(held.address, X, own)
        return said

    def held(self, part: Any) -> Held:
        """A part as compiled code is given it, laid out once."""
        held = self._held.get(part.name)
        if held is None or held.value[0] is not part:
            held = self._held[part.name] = Held((part,))
        return held

    def play(self, rows: Rows, outcome: Outcome, own: np.ndarray | None = None, ends: bool = False) -> None:
        """Rows that kernels have played: what all say together goes into the record, and everybody learns.

        own (T, M) is what kernels say now, where the record has what was said earlier. Companions start again in the
        very round in which kernels are challenged. Where all ends after these rows, the last one teaches companions
        nothing: the first trees would be grown for nobody.
        """
        done, total = 0, len(rows.X)
        for stop in (turn.row for turn in outcome.turns if turn.challenged):
            self._play(part_of(rows, slice(done, stop)), outcome, slice(done, stop), own)
            self.start_again()
            done = stop
        if done < total:
            left = slice(done, total)
            self._play(rows if done == 0 else part_of(rows, left), outcome, left, own, ends)

    def _play(self, rows: Rows, outcome: Outcome, which: slice, own: np.ndarray | None, ends: bool = False) -> None:
        loss, record = outcome.spec.loss_key, outcome.record[which]
        self.rows += len(rows.X)
        said = np.empty((len(self.parts), *rows.Y.shape))
        taught = len(rows.X) - ends
        some = part_of(rows, slice(0, taught)) if ends else rows
        for part, heard in zip(self.parts, said, strict=True):
            _learn(self.held(part), loss, some, record[:taught], heard[:taught])
        if ends:
            said[:, taught:] = self._said(rows.X[taught:])
        code = _code(learn_to_join, self.stack, loss, _2, _2, _3, _2, _1)
        code(self.stack, loss, record, NOTHING if own is None else own[which], said, rows.Y, rows.weights)

    def learn(self, rows: Rows, loss: Any) -> None:
        """Rows that nobody has predicted: each learns them for itself."""
        self.rows += len(rows.X)
        record, heard = np.zeros((len(rows.X), SAID + rows.Y.shape[1])), np.empty(rows.Y.shape)
        for part in self.parts:
            _learn(self.held(part), loss, rows, record, heard)

    def start_again(self) -> None:
        """Forget everything: what was learned before a change is of no use after it."""
        for part in self.parts:
            start_again(part)
        self.stack = fresh_stack(self.stack.regression, *self.stack.weights.shape)
        self.rows[0] = 0

    def blank(self) -> "Companions":
        """Those that shards begin with: nothing is learned, and what they have in common is there, as the axes tell."""
        new = copy.deepcopy(self)
        new.start_again()
        for part, own in zip(new.parts, self.parts, strict=True):
            for name, (array, axes) in arrays_of(own).items():
                if axes.adds == "same":
                    getattr(part, name)[...] = array
        return new

    def merged(self, others: "list[Companions]", spec: Specification) -> "Companions":
        """Each begins with what its class makes of those of all shards by `pooled`, and learns the rows that come with
        it again; one whose class does not say it is that of the shard with the most rows, or in which kernels have the
        smallest weight. So the order of the shards does not matter."""
        every, loss = [self, *others], spec.loss_key
        for one in every:
            one.settle(spec)  # what they say stays as it is
        most = max(every, key=lambda one: (int(one.rows[0]), -float(one.stack.weights[:, 0].sum())))
        whole = copy.deepcopy(most)
        for i, part in enumerate(self.parts):
            if hasattr(part, "pooled"):
                whole.parts[i], again = part.pooled([other.parts[i] for other in others])
                record = np.zeros((len(again.X), SAID + again.Y.shape[1]))
                _learn(whole.held(whole.parts[i]), loss, again, record, np.empty_like(again.Y))
        own = [int(one.rows[0]) for one in every]
        whole.stack, whole.rows[0] = pooled_stack([one.stack for one in every], own), sum(own)
        whole.settle(spec)
        return whole

    def settle(self, spec: Specification) -> None:
        """Bring to an end what companions do beside the rounds; what they say does not depend on when."""
        for part in self.parts:
            _code(settle_all, part, spec.loss_key)(part, spec.loss_key)

    def remap(self, spec: Specification, sources: list[int], signs: list[float]) -> None:
        """Output m becomes signs[m] times the old output sources[m], or a new one where that is negative."""
        self.settle(spec)
        for i, part in enumerate(self.parts):
            arrays = arrays_of(part)
            follows = [name for name, (_, axes) in arrays.items() if axes.given and axes.where("outputs") is not None]
            fresh = type(part).build(spec.problem(1)) if follows else part  # making one may take long
            changed = {name: remapped(old, axes, sources, signs) for name, (old, axes) in arrays.items()}
            self.parts[i] = part._replace(**changed | {name: getattr(fresh, name) for name in follows})
        before, self.stack = self.stack, _fresh(spec, self.stack.weights.shape[1])
        for m, source in enumerate(sources):
            if source >= 0:
                self.stack.weights[m], self.stack.trust[m] = before.weights[source], before.trust[source]

    def wider(self, spec: Specification) -> list[Any]:
        """Fresh ones for more columns, without those that can't do with so many."""
        problem = spec.problem(1)
        return [type(part).build(problem) for part in self.parts if spec.n_inputs <= part.most_inputs]

    def widen(self, spec: Specification, fresh: list[Any] | None = None) -> None:
        """Rows have more columns from now on, which were zero so far; who can't do with so many is there no longer.
        Fresh ones may be there already."""
        fresh = self.wider(spec) if fresh is None else fresh
        known = {part.name: part for part in self.parts}
        if len(fresh) < len(self.parts):
            self.stack = _fresh(spec, 1 + len(fresh))
        self.parts = [_widened(part, known[part.name], spec) for part in fresh]


def _fresh(spec: Specification, n: int) -> Stack:
    return fresh_stack(not spec.loss_row.classifies, spec.n_outputs, n)


def _widened(fresh: Any, part: Any, spec: Specification) -> Any:
    """As its class says by ``widened``; else the fresh one with all that was learned, when nothing is under way."""
    if hasattr(part, "widened"):
        return part.widened(fresh)
    _code(settle_all, part, spec.loss_key)(part, spec.loss_key)
    for name, (old, axes) in arrays_of(part).items():
        if not axes.given:
            getattr(fresh, name)[tuple(map(slice, old.shape))] = old
    return fresh


def _learn(held: Held, loss: Any, rows: Rows, record: np.ndarray, heard: np.ndarray) -> None:
    """A part learns rows; what it says to each before goes into the last."""
    _code(learn_rows, held, NOT_HEARD, loss, ROWS, _2, _2)(held.address, NOT_HEARD, loss, rows, record, heard)


_found: dict[Any, Any] = {}


def _code(function: Any, *like: Any) -> Any:
    """The machine code for arguments like these, found once: who calls it for a single row has no time to look."""
    key = (function, *(type(one.value[0] if type(one) is Held else one) for one in like))
    if key not in _found:
        _found[key] = machine_code(function, *like)
    return _found[key]
