"""What the regressor and the classifier share: dicts and frames to rows."""

import inspect
import math
import sys
from collections.abc import Callable, Hashable, Iterator
from functools import partial
from typing import Any, Self

import numpy as np

from kernelpick import parameters
from kernelpick.budget import planned
from kernelpick.columns import learning
from kernelpick.columns.short import Short
from kernelpick.columns.stream import Columns
from kernelpick.columns.tables import Table, of_frame
from kernelpick.core import NO_WEIGHTS
from kernelpick.core.messages import choice, weight
from kernelpick.estimator import Estimator
from kernelpick.files import columns as kept
from kernelpick.files import packing
from kernelpick.files.values import decode, encode, foreign
from kernelpick.online import classes
from kernelpick.online.columns import NamedModel, rebuilt
from kernelpick.online.guard import at_once
from kernelpick.online.plan import Plan
from kernelpick.river.calibrating import row_by_row
from kernelpick.targets import skips

SELECTIONS = ("leader", "drawn")


class RiverEstimator(Estimator):
    """Dicts and frames to rows; the rest is the model's."""

    _model: NamedModel | None = None
    _columns = Columns(None)  # of a model that has seen no row
    _short: Short | None = None
    _several: list[Hashable] | None = None  # the names of targets, where there are several
    missing: str | None
    _classifies: bool
    selection: str
    missing_label: str
    seed: Any
    time_budget: Any

    def __getstate__(self) -> dict[str, Any]:
        """A copy makes its own short way."""
        return {name: value for name, value in vars(self).items() if name != "_short"}

    def _params(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

    @property
    def _raw_memory_usage(self) -> int:
        """Of what River's `_memory_usage` tells. Its own way would go on through compiled code, which models share."""
        return sys.getsizeof(self) + (0 if self._model is None else self.memory_bytes_)

    @at_once
    def _begin(self, table: Table, n_outputs: int = 1) -> NamedModel:
        """A model of the inputs that the first row of a table bears; or nothing, if the table is refused."""
        choice("selection", self.selection, SELECTIONS)
        skips(self.missing_label)
        seed, way = parameters.seed(self.seed), row_by_row(self)
        plan = partial(planned.plan, self._params(), self._classifies, n_outputs=n_outputs, seed=seed, way=way)
        return self._begin_by(plan, table)

    def _begin_by(self, plan: Callable[[int, int], Plan], table: Table) -> NamedModel:
        model, columns = learning.begun(plan, table, parameters.missing(self.missing))
        model.guard = self._guard
        self._columns, self._model = columns, model
        return model

    def _ready(
        self, x: dict[Hashable, Any], weights: np.ndarray = NO_WEIGHTS, n_outputs: int = 1
    ) -> tuple[NamedModel, np.ndarray]:
        """The model, and the row (1, d) for it, which counts as one more; the inputs that it bears are there.

        A row that weighs nothing is only read, but for the first one, with which a stream begins.
        """
        if not isinstance(x, dict):
            raise ValueError(f"A row is a dict of features, by their names; not {type(x).__name__}.")
        model, columns = self._model, self._columns
        if model is not None and len(weights) and weights[0] == 0.0:
            return model, self._known(model, x)
        if model is not None and columns.only_numbers:
            row = model.row_of(x)
            if row is not None:
                columns.rows += 1
                return model, row
        if model is not None:
            row = self._short_of(columns).row(model, x, True)
            if row is not None:
                return model, row
        table = columns.of_dict(x)
        if model is None:
            model = self._begin(table, n_outputs)
        return model, learning.ready(model, self._columns, table)

    def _known(self, model: NamedModel, x: dict[Hashable, Any]) -> np.ndarray:
        """The row (1, d) for a model; what it has no input for is left out."""
        columns = self._columns
        row = model.row_of(x) if columns.only_numbers else None
        if row is None and isinstance(x, dict):
            row = self._short_of(columns).row(model, x, False)
        return next(learning.rows(model, columns, columns.of_dict(x))) if row is None else row

    def _short_of(self, columns: Columns) -> Short:
        if self._short is None or not self._short.is_of(columns):
            self._short = Short(columns)
        return self._short

    def _tell_of_ids(self) -> None:
        if self._columns.new_ids:
            learning.tell_of_ids(self._columns)

    def _checked(self, X: Any, n_outputs: int = 1) -> tuple[NamedModel, Table]:
        """The model, and the rows of a frame to learn from; nothing has changed when they are refused."""
        table = of_frame(X)
        model = self._begin(table, n_outputs) if self._model is None else self._model
        learning.check(model, self._columns, table)
        return model, table

    def _decide(self, model: NamedModel, x: dict[Hashable, Any]) -> np.ndarray:
        row = self._known(model, x)
        return model.decide(row, True) if self.selection == "drawn" else model.decide_row(row)

    def _decide_many(self, model: NamedModel, X: Any) -> np.ndarray:
        return learning.decide(model, self._columns, of_frame(X), self.selection == "drawn")

    def _repr_html_(self) -> str:
        return self._panel() or super()._repr_html_()  # type: ignore[misc, no-any-return]

    def _pack(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        params = self._params()
        header: dict[str, Any] = {"params": encode(params), "foreign": foreign(params), "fitted": None}
        if self._model is None:
            return header, {}
        header["foreign"] = foreign(params, vars(self._model.spec))
        about, arrays = packing.pack(self._model)
        fitted: dict[str, Any] = {"names": list(self._model.names), "classes": getattr(self, "_classes", None)}
        fitted["columns"] = kept.pack(self._columns)
        fitted["targets"] = self._several
        return {**header, "fitted": encode(fitted), "model": about}, arrays

    @classmethod
    def _unpack(cls, header: dict[str, Any], arrays: dict[str, np.ndarray]) -> Self:
        self = cls(**decode(header["params"]))
        if header["fitted"] is not None:
            fitted = decode(header["fitted"])
            self._model = rebuilt(packing.unpack(NamedModel, header["model"], arrays), fitted["names"])
            names = self._model.expected
            about = fitted.get("columns")
            self._columns = kept.of_names(names, self._model.rounds) if about is None else kept.unpack(about, names)
            if cls._classifies:
                self._classes = {label: i for i, label in enumerate(fitted["classes"])}  # type: ignore[attr-defined]
                if classes.n_outputs(len(fitted["classes"])) != self._model.spec.n_outputs:
                    raise ValueError("the number of classes is not that of the model")
            self._several = fitted.get("targets")
            if self._several is not None and len(self._several) != self._model.spec.n_outputs:
                raise ValueError("the number of targets is not that of the model")
            self._recall()
        return self

    @classmethod
    def _unit_test_params(cls) -> Iterator[dict[str, Any]]:
        yield {"n_features": 50}


def weights(w: Any) -> np.ndarray:
    if isinstance(w, int | float) and w == 1:
        return NO_WEIGHTS
    return np.array([weight("A weight", w)])


def number(name: Hashable, value: Any) -> float:
    if type(value) is float and math.isfinite(value):
        return value
    try:
        result = float(value)
    except (TypeError, ValueError, OverflowError):
        result = float("nan")
    if isinstance(value, str) or not math.isfinite(result):
        raise ValueError(f"{name!r} is {value!r} where a finite number is expected; encode, replace or drop it first.")
    return result
