"""What the regressor and the classifier share: dicts and frames to rows."""

import inspect
import math
from collections.abc import Hashable, Iterator
from typing import Any, Self

import numpy as np

from kernelpick import parameters
from kernelpick.core import NO_WEIGHTS
from kernelpick.core.messages import choice
from kernelpick.estimator import Estimator
from kernelpick.files import packing
from kernelpick.files.values import decode, encode, foreign
from kernelpick.frames import columns_of, matrix
from kernelpick.online import classes
from kernelpick.online.columns import NamedModel, rebuilt
from kernelpick.targets import skips

SELECTIONS = ("leader", "drawn")


class RiverEstimator(Estimator):
    """Dicts and frames to rows; the rest is the model's."""

    _model: NamedModel | None = None
    _classifies: bool
    selection: str
    missing_label: str
    seed: Any

    def _params(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

    def _begin(self, names: list[Hashable]) -> NamedModel:
        choice("selection", self.selection, SELECTIONS)
        skips(self.missing_label)
        plan = parameters.plan(self._params(), self._classifies, max(len(names), 1), 1, parameters.seed(self.seed))
        self._model = NamedModel(plan, names)
        return self._model

    def _ready(self, x: dict[Hashable, Any]) -> tuple[NamedModel, np.ndarray]:
        """The model, with columns for all these features, and the row (1, d) for it."""
        model = self._model
        if model is None:
            check(x)
            model = self._begin(list(x))
        try:
            return model, _row(model, model.complete(x))
        except KeyError:  # not the same features as before
            new = [name for name in x if name not in model.names]
            check(x)
            if new:
                model.admit(new)
            return model, self._known(model, x)

    def _known(self, model: NamedModel, x: dict[Hashable, Any]) -> np.ndarray:
        """The row (1, d) for a model; features that it does not have are left out."""
        try:
            values = model.complete(x)
        except KeyError:
            values = [x.get(name, 0.0) for name in model.names]
        return _row(model, values)

    def _rows(self, model: NamedModel, X: Any) -> np.ndarray:
        """Rows (T, d) for the model from a frame."""
        names = model.names
        rows = np.zeros((len(X), model.spec.n_inputs))
        given = columns_of(X)
        known = [i for i, name in enumerate(given) if name in names]
        rows[:, [names[given[i]] for i in known]] = matrix(X)[:, known]
        return rows

    def _decide(self, model: NamedModel, x: dict[Hashable, Any]) -> np.ndarray:
        return model.decide(self._known(model, x), self.selection == "drawn")

    def _decide_many(self, model: NamedModel, X: Any) -> np.ndarray:
        return model.decide(self._rows(model, X), self.selection == "drawn")

    def _pack(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        params = self._params()
        header: dict[str, Any] = {"params": encode(params), "foreign": foreign(params), "fitted": None}
        if self._model is None:
            return header, {}
        header["foreign"] = foreign(params, vars(self._model.spec))
        about, arrays = packing.pack(self._model)
        fitted = {"names": list(self._model.names), "classes": getattr(self, "_classes", None)}
        return {**header, "fitted": encode(fitted), "model": about}, arrays

    @classmethod
    def _unpack(cls, header: dict[str, Any], arrays: dict[str, np.ndarray]) -> Self:
        self = cls(**decode(header["params"]))
        if header["fitted"] is not None:
            fitted = decode(header["fitted"])
            self._model = rebuilt(packing.unpack(NamedModel, header["model"], arrays), fitted["names"])
            if cls._classifies:
                self._classes = {label: i for i, label in enumerate(fitted["classes"])}  # type: ignore[attr-defined]
                if classes.n_outputs(len(fitted["classes"])) != self._model.spec.n_outputs:
                    raise ValueError("the number of classes is not that of the model")
            self._recall()
        return self

    @classmethod
    def _unit_test_params(cls) -> Iterator[dict[str, Any]]:
        yield {"n_features": 50}


def weights(w: float) -> np.ndarray:
    if w == 1.0:
        return NO_WEIGHTS
    if not 0 <= w < np.inf:
        raise ValueError(f"A weight must be a number from 0 up, not {w!r}.")
    return np.array([float(w)])


def number(name: Hashable, value: Any) -> float:
    if type(value) is float and math.isfinite(value):
        return value
    try:
        result = float(value)
    except (TypeError, ValueError):
        result = float("nan")
    if isinstance(value, str) or not math.isfinite(result):
        raise ValueError(f"{name!r} is {value!r} where a finite number is expected; encode, replace or drop it first.")
    return result


def check(x: dict[Hashable, Any]) -> None:
    for name, value in x.items():
        number(name, value)


def _row(model: NamedModel, values: Any) -> np.ndarray:
    try:
        finite = math.isfinite(sum(values))
        row = np.array([values], dtype=np.float64)
    except (TypeError, ValueError):
        finite = False
    if not finite:  # or a sum that overflows: look closer
        row = np.array([[number(name, value) for name, value in zip(model.names, values, strict=True)]])
    if row.shape[1] == model.spec.n_inputs:
        return row
    padded = np.zeros((1, model.spec.n_inputs))
    padded[:, : row.shape[1]] = row
    return padded
