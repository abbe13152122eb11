"""A model whose columns have names and come one by one.

The frequencies of a column are a function of the seed and its name. So neither the order of the names nor the time at
which they appear matters for these. With "auto" that holds for columns that appear after a fit; those that are there at
a fit get orthogonal frequencies together. What a column was before it came is not known, unless it is one that is made
(see admit).
"""

import math
import struct
from collections.abc import Hashable, Iterable
from dataclasses import replace
from functools import cache
from operator import itemgetter
from typing import Any, Self

import numpy as np

from kernelpick import core
from kernelpick.core import State
from kernelpick.core.algorithms import MOST_INPUTS
from kernelpick.core.growth import widen_inputs
from kernelpick.core.kernels.frequencies import NORMAL, Spectrum, of_columns
from kernelpick.core.spaces.features import spectra
from kernelpick.online.model import Model
from kernelpick.online.plan import Plan
from kernelpick.online.single import Single, single_of
from kernelpick.online.statistics import born_late, left_alone, never_out, widened

CLOCKS = (np.datetime64, np.timedelta64)  # which NumPy adds to whole numbers
GROWTH = 1.5  # columns are made in advance, so that adding them one by one copies little


class NamedModel(Model):
    """The columns 0 .. len(names) - 1 have these names; any further ones wait for theirs, and are zero.

    The first ``together`` of them keep their order, and their frequencies are drawn as those of a matrix are, so that
    named rows and plain ones give the same bits.
    """

    together = 0
    single: Single | None = None
    _asked: tuple[int, tuple[Any, ...]] = (0, ())  # the dict that the row is of, and what it had
    _stood = (0, 0)  # state and row, when a row last went the long way

    def __init__(self, plan: Plan, names: Iterable[Hashable], together: bool = False) -> None:
        names = list(map(plain, names)) if together else in_order(names)
        self.together = len(names) if together else 0
        self.name(names)
        super().__init__(plan)

    def _begin(self, new: Self) -> None:
        new.together = self.together
        new.name(self.names)
        super()._begin(new)

    @property
    def n_columns(self) -> int:
        return max(len(self.names), 1)

    def name(self, names: Iterable[Hashable]) -> None:
        self.names: dict[Hashable, int] = {name: i for i, name in enumerate(names)}
        self._read: Any = itemgetter(*self.names) if len(self.names) > 1 else None
        self._row, self._asked = np.zeros((1, 0)), (0, ())

    def row_of(self, x: dict[Hashable, Any]) -> np.ndarray | None:
        """The row (1, d) of a dict that has these columns and no others, all of them finite numbers; else None.

        It is the same array each time, for whoever holds the guard: making one takes longer. Where it is that of the
        last call, as of a row that was predicted and is now to be learned, it is what it was.
        """
        if len(x) != len(self.names) or self._read is None:
            return None
        try:
            values = self._read(x)
            asked = id(x), values
            if asked == self._asked:
                return self._row
            total = sum(values)
            if not math.isfinite(total) or type(total) in CLOCKS:
                return None
            if self._row.shape[1] != self.spec.n_inputs:
                self._row = np.zeros((1, self.spec.n_inputs))
            self._asked = 0, ()
            _writer(len(values))(self._row, 0, *values)
            self._asked = asked
        except (KeyError, TypeError, ValueError, OverflowError, struct.error):
            return None
        return self._row

    def decide_row(self, row: np.ndarray) -> np.ndarray:
        """`decide` for a row (1, d), for whoever holds the guard; the next row may take the place of the values."""
        single = self.single
        values = single.decide(self) if single is not None and row is single.row else None
        return self.decide(row) if values is None else values

    def learn_row(self, row: np.ndarray, target: np.ndarray | float) -> None:
        """`learn` for a row (1, d) that weighs 1, for whoever holds the guard, and does not ask what was said to it.

        A number is a target (1, 1), which would take longer to make.
        """
        single = self.single
        if single is not None and row is single.row and single.learn(self, target):
            return
        self.learn(row, np.array([[target]]) if isinstance(target, float) else target)
        if row is self._row and (single is None or not single.is_of(self)):
            now = id(self.state), id(row)
            self.single = single_of(self) if now == self._stood else None  # columns that come one by one leave no time
            self._stood = now

    def start(self) -> State:
        if not self.spec.row.space.spectral or self.spec.has_orthogonal:
            return super().start()
        normal = np.zeros((self.spec.n_inputs, self.spec.n_features))
        self._draw(NORMAL, normal)
        state = core.start(self.spec, normal.T)
        for group, spectrum in enumerate(spectra(self.spec.kernels)):
            if spectrum.matrix is not NORMAL.matrix:
                self._draw(spectrum, state.space.frequencies[group])
        return state

    @property
    def column_names(self) -> list[Hashable]:
        return list(self.names)

    def refuse(self, name: Hashable) -> None:
        raise ValueError(
            f"The feature {str(name)!r} is new, and orthogonal frequencies need a fixed set of features: "
            "set orthogonal=False, or give all features in the first row."
        )

    def admit(self, names: list[Hashable], made: bool = False, clock: bool = False) -> None:
        """Take new columns: numbers; or made ones, of zeros and ones or points on a circle; or clocks, that go on."""
        if self.spec.orthogonal and self.draws:
            self.refuse(names[0])
        first = len(self.names)
        self.name([*self.names, *in_order(names)])
        if len(self.names) > self.spec.n_inputs:
            self.widen(self._room())
        columns = list(range(first, len(self.names)))
        if made:
            left_alone(self.inputs, columns)
        else:
            self._not_known_before(columns)
        if clock:
            never_out(self.inputs, columns)
        self.fit_again()
        if self.spec.orthogonal and self.state is not None:
            self.state = self.start()
        elif self.state is not None and self.state.space.spectral:
            for group, spectrum in enumerate(spectra(self.spec.kernels)):
                self._draw(spectrum, self.state.space.frequencies[group], first)

    def _not_known_before(self, columns: list[int]) -> None:
        """Numbers that come late are not zeros that came before: rows that are kept have gaps there."""
        if self.rounds:
            born_late(self.inputs, columns)
        kept = self._kept()
        if kept is not None:
            kept.X[: kept.count, columns] = np.nan
        for slip in self.desk.open.values():
            slip.row[columns] = np.nan

    def _room(self) -> int:
        """How many columns to make. Those that are there decide on the learner, and not those that may come."""
        room = max(len(self.names), int(GROWTH * self.spec.n_inputs))
        row = self.spec.row
        return room if row.learner_for(len(self.names)) is row.learner_for(room) else MOST_INPUTS

    def widen(self, n_inputs: int) -> None:
        """Rows have more columns from now on; the new ones were zero so far."""
        self.spec, self._asked = replace(self.spec, n_inputs=n_inputs), (0, ())
        self.inputs = widened(self.inputs, n_inputs)
        kept = self._kept()
        if kept is not None:
            kept.widen(n_inputs)
        if self.state is not None:
            self.state = widen_inputs(self.spec, self.state)
        if self.intervals is not None:
            self.intervals.widen(n_inputs)
        if self.companions is not None:
            self.companions.widen(self.spec)
        self.desk.widen(n_inputs)
        self.fit_again()

    def _draw(self, spectrum: Spectrum, frequencies: np.ndarray, first: int = 0) -> None:
        """The frequencies (d, D) of the columns from the first of these on: together as if there were no others."""
        size, seed = frequencies.shape[1], self.spec.random_state
        if first < self.together:
            frequencies[: self.together] = spectrum.matrix(size, self.together, seed).T
            first = self.together
        names = tuple(map(repr, list(self.names)[first:]))
        frequencies[first : first + len(names)] = of_columns(spectrum, names, size, seed)


@cache
def _writer(count: int) -> Any:
    """What writes so many numbers into an array."""
    return struct.Struct(f"{count}d").pack_into


def plain(name: Any) -> Any:
    """A name as Python has it: frequencies follow from its repr, which differs for what NumPy and enums make of it."""
    if isinstance(name, np.generic):
        return name.item()
    if isinstance(name, str):
        return str.__str__(name)
    if isinstance(name, tuple):
        return tuple(plain(part) for part in name)
    return int(name) if isinstance(name, int) and not isinstance(name, bool) else name


def in_order(names: Iterable[Hashable]) -> list[Hashable]:
    """Plain names in an order of their own: sums must not depend on the order in which a dict has its keys."""
    return sorted(map(plain, names), key=repr)


def rebuilt(model: Any, names: list[Hashable], together: int = 0) -> NamedModel:
    """A model from a file, with its names."""
    if len(set(names)) != len(names) or len(names) > model.spec.n_inputs or not 0 <= together <= len(names):
        raise ValueError("the names of the columns are wrong")
    model.name(names)
    model.together = together
    return model  # type: ignore[no-any-return]
