"""A model whose columns have names and come one by one.

The frequencies of a column are a function of the seed and its name. So neither the order of the names nor the time at
which they appear matters for these. With "auto" that holds for columns that appear after a fit; those that are there at
a fit get orthogonal frequencies together. What a column was before it came is not known, unless it is one that is made
(see admit). Where no round may do more than its share, columns wait (waiting.py).
"""

from collections.abc import Hashable, Iterable
from dataclasses import replace
from itertools import islice
from typing import Self

import numpy as np

from kernelpick import core
from kernelpick.core import State
from kernelpick.core.algorithms import MOST_INPUTS
from kernelpick.core.growth import widen_inputs
from kernelpick.core.kernels.frequencies import NORMAL, Spectrum, of_columns
from kernelpick.core.loop import Rows
from kernelpick.core.spaces.features import spectra
from kernelpick.online.kept_rows import write_gaps
from kernelpick.online.late import Came
from kernelpick.online.model import Model
from kernelpick.online.names import in_order, plain
from kernelpick.online.plan import Plan
from kernelpick.online.preparation import NONE_TO_COME
from kernelpick.online.said import Said
from kernelpick.online.statistics import born_late, left_alone, never_out, widened
from kernelpick.online.waiting import Waiting, Wider

GROWTH = 1.5  # columns are made in advance, so that adding them one by one copies little


class GrowingModel(Model):
    """The columns 0 .. len(names) - 1 have these names; any further ones wait for theirs, and are zero.

    The first ``together`` of them keep their order, and their frequencies are drawn as those of a matrix are, so that
    named rows and plain ones give the same bits.
    """

    together = 0

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

    @property
    def expected(self) -> list[Hashable]:
        """The names of all columns that have come, in their places."""
        return [*self.names, *(self.waiting.names if self.waiting is not None else ())]

    def name(self, names: Iterable[Hashable]) -> None:
        self.names: dict[Hashable, int] = {name: i for i, name in enumerate(names)}

    def read_on(self) -> None:
        """Rows may have one more column, which waits: for those who read rows."""

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
        kept = self._kept()
        since = 0 if kept is None else kept.count
        if self.plan.spread and self.draws and self.first is None:
            self.waiting = self.waiting or Waiting(self.draws)
            self.waiting.batches.append((in_order(names), made, clock, since))
            self.read_on()
        else:
            self._take(in_order(names), made, clock, since)

    def wait(self) -> None:
        waiting = self.waiting
        if waiting is None:
            return
        if self.draws >= waiting.due:
            self.take_in()
        else:
            waiting.prepare(self)

    def take_in(self) -> None:
        waiting = self.waiting
        if waiting is not None:
            room, self.waiting = self.room_for(len(waiting.names)), None
            if room > self.spec.n_inputs:
                self.widen(room, waiting.wider.ready_for(room))
            for batch in waiting.batches:
                self._take(*batch)

    def _left(self) -> int:
        left, waiting = super()._left(), self.waiting
        return left if waiting is None else min(left, max(1, waiting.due - self.draws))

    @property
    def next_piece(self) -> int:
        """How many rows may be learned together before columns could be taken in, at most."""
        return NONE_TO_COME if self.waiting is None else self._left()

    def _learn_piece(self, rows: Rows) -> Said:
        said = super()._learn_piece(rows)
        if self.waiting is not None:
            self.wait()
        return said

    def _take(self, names: list[Hashable], made: bool, clock: bool, since: int) -> None:
        first, own = len(self.names), self._kept()
        waited = 0 if own is None else own.count - since
        room = self.room_for(len(names))
        if room > self.spec.n_inputs:
            self.widen(room)
        self.name([*self.names, *names])
        columns = list(range(first, len(self.names)))
        self._begin_columns(columns, made, clock, late=self.rounds > 0)
        for kept in self._every_kept():
            write_gaps(kept, columns, kept.count - waited if made else 0)  # made ones were zero before they came
        if not made:
            for slip in self.desk.open.values():
                slip.row[columns] = np.nan
        self.came(names, made, clock)
        if self.spec.orthogonal and self.state is not None:
            self.state = self.start()
        else:
            self._draw_from(first)

    def take_again(self, came: Came, ready: Wider) -> None:
        """The same for the stream of a fit, of which nobody else knows (late.py)."""
        first = len(self.names)
        if came.n_inputs > self.spec.n_inputs:
            self._widen_parts(came.n_inputs, ready.ready_for(came.n_inputs))
            if self.intervals is not None:
                self.intervals.widen(came.n_inputs)
        self.names = {name: i for i, name in enumerate([*self.names, *came.names])}
        self._begin_columns(list(range(first, len(self.names))), came.made, came.clock, late=True)
        self._draw_from(first)

    def _begin_columns(self, columns: list[int], made: bool, clock: bool, late: bool) -> None:
        """What is known of them. Numbers that come late are not zeros that came before."""
        if made:
            left_alone(self.inputs, columns)
        elif late:
            born_late(self.inputs, columns)
        if clock:
            never_out(self.inputs, columns)

    def _draw_from(self, first: int) -> None:
        """The frequencies of the columns from that one on, for the state as it is."""
        if self.state is not None and self.state.space.spectral:
            for group, spectrum in enumerate(spectra(self.spec.kernels)):
                self._draw(spectrum, self.state.space.frequencies[group], first)

    def room_for(self, more: int) -> int:
        """How many columns to make. Those that are there decide on the learner, and not those that may come."""
        count, row = len(self.names) + more, self.spec.row
        if count <= self.spec.n_inputs:
            return self.spec.n_inputs
        room = max(count, int(GROWTH * self.spec.n_inputs))
        return room if row.learner_for(count) is row.learner_for(room) else MOST_INPUTS

    def widen(self, n_inputs: int, ready: Wider | None = None) -> None:
        """Rows have more columns from now on; the new ones were zero so far. What that takes may be ready."""
        self._widen_parts(n_inputs, ready)
        for kept in self._every_kept():
            kept.widen(n_inputs)
        if self.intervals is not None:
            self.intervals.widen(n_inputs)
        self.desk.widen(n_inputs)

    def _widen_parts(self, n_inputs: int, ready: Wider | None) -> None:
        """What a fit makes anew. Where there is no memory for it, nothing has changed."""
        spec, state = replace(self.spec, n_inputs=n_inputs), self.state
        if state is not None:
            state = widen_inputs(spec, state, ready.halves if ready else None)
        if self.companions is not None:
            self.companions.widen(spec, ready.companions if ready else None)
        self.inputs, self.spec, self.state = widened(self.inputs, n_inputs), spec, state

    def narrow(self, columns: int, n_inputs: int, n_outputs: int) -> None:
        super().narrow(columns, n_inputs, n_outputs)
        self.names = dict(islice(self.names.items(), columns))

    def took_effect(self) -> None:
        super().took_effect()
        if self.waiting is not None:
            self.waiting.put_off(self.draws)

    def _draw(self, spectrum: Spectrum, frequencies: np.ndarray, first: int = 0) -> None:
        """The frequencies (d, D) of the columns from the first of these on: together as if there were no others."""
        size, seed = frequencies.shape[1], self.spec.random_state
        if first < self.together:
            frequencies[: self.together] = spectrum.matrix(size, self.together, seed).T
            first = self.together
        names = tuple(map(repr, list(self.names)[first:]))
        if self.plan.spread and self.first is not None:  # for the fits to come, too, which have no time for it
            of_columns(spectrum, names, max(size, self.plan.features, *self.preparation.sizes(self.n_columns)), seed)
        frequencies[first : first + len(names)] = of_columns(spectrum, names, size, seed)
