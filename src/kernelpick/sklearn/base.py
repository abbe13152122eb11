"""What the regressor and the classifier share."""

from functools import cache, partial
from typing import Any, Self

import numpy as np
from sklearn import get_config
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError

from kernelpick import parameters
from kernelpick.budget import overruns, planned
from kernelpick.columns import learning
from kernelpick.columns.stream import Columns
from kernelpick.columns.tables import Table
from kernelpick.core import NO_WEIGHTS, messages
from kernelpick.core.numerics import rng
from kernelpick.estimator import Estimator
from kernelpick.files import columns as kept
from kernelpick.files import packing
from kernelpick.files.checks import counter
from kernelpick.files.values import decode, encode, foreign
from kernelpick.online.columns import NamedModel, rebuilt
from kernelpick.online.coverage import checked_confidence
from kernelpick.online.guard import at_once
from kernelpick.online.model import Model
from kernelpick.online.tickets import Ticket
from kernelpick.sklearn import inputs
from kernelpick.sklearn.names import remember
from kernelpick.targets import skips

SELECTIONS = ("leader", "drawn")


@cache
def _names(cls: Any) -> tuple[str, ...]:
    """Of the parameters; looking at a signature takes longer than saving a small model."""
    return tuple(cls._get_param_names())


class KernelEstimator(Estimator, BaseEstimator):
    """Plumbing: parameters to a model, rows to the model, the model's values back."""

    _classifies: bool
    missing_label: str
    passes: Any
    missing: Any
    random_state: Any
    time_budget: Any

    def _targets(self, y: np.ndarray) -> np.ndarray:
        """(T, M) numbers for targets that were checked."""
        raise NotImplementedError

    def _answers(self, values: np.ndarray) -> np.ndarray:
        """(T,) predictions from the model's values (T, M)."""
        raise NotImplementedError

    # the model

    @at_once
    def _begin(self, given: Any, rows: Any, n_outputs: int) -> None:
        """A new model for such rows; given are the same with their column names. Refused are wrong parameters."""
        params = self.get_params(deep=False)
        if self.passes != "auto":
            messages.whole("passes", self.passes, 1)
        skips(self.missing_label)
        seed = parameters.seed(self.random_state)
        plan = partial(planned.plan, params, self._classifies, n_outputs=n_outputs, seed=seed)
        begun: tuple[Model, Columns | None]
        if isinstance(rows, Table):
            begun = learning.begun(plan, rows, parameters.missing(self.missing), as_given=True)
        else:
            begun = Model(plan(rows.shape[1])), None
        begun[0].guard = self._guard
        self._model, self._columns = begun
        overruns.start_again(self)
        remember(self, given, rows)

    @overruns.plays_many
    def _learn(self, X: Any, y: np.ndarray, weights: np.ndarray, progressive: bool = False) -> np.ndarray | None:
        """Play checked rows; on demand, the predictions made before each label was used."""
        if isinstance(X, Table):
            heard = learning.learn(*self._parts, X, self._targets(y), weights)
            return self._answers(heard.in_units()) if progressive else None
        if len(weights) and not progressive and not weights.all():  # rows without weight are there to be predicted
            counts = weights > 0
            X, y, weights = X[counts], y[counts], weights[counts]
            if not len(y):
                return None
        model = self._fitted
        if len(y) == 1 and type(X) is np.ndarray and not (len(weights) or progressive or model.again):
            with self._guard:
                model.learn_row(model.row_like(X), self._targets(y))
            return None
        said = []
        for part, rows in inputs.parts(X):
            heard = model.learn(rows, self._targets(y[part]), weights[part])
            if progressive:
                said.append(self._answers(heard.in_units()))
        return np.concatenate(said) if progressive else None

    def _pass_over(self, X: Any, y: np.ndarray, weights: np.ndarray) -> None:
        """The passes of fit: the first in the order of the rows, as partial_fit would, the others shuffled."""
        n = X.shape[0]
        passes = self._fitted.preparation.passes(n) if self.passes == "auto" else self.passes
        self._learn(X, y, weights)
        self._fitted.again = True
        try:
            for again in range(1, passes):
                order = rng.uniforms(self._fitted.spec.random_state, f"pass/{again}", 0, n).argsort(kind="stable")
                self._learn_again(X[order], y[order], weights[order] if len(weights) else NO_WEIGHTS)
        finally:
            self._fitted.again = False
        with self._guard:
            self._fitted.fit()

    def _learn_again(self, X: Any, y: np.ndarray, weights: np.ndarray) -> None:
        """Rows that were learned before."""
        if isinstance(X, Table):
            learning.learn_again(*self._parts, X, self._targets(y), weights)
        else:
            self._learn(X, y, weights)

    @property
    def _parts(self) -> tuple[NamedModel, Columns]:
        """Of an estimator that began with a table. Others say so as attributes do, which `dir` asks for all of."""
        if not isinstance(self._model, NamedModel) or self._columns is None:
            raise AttributeError(f"This {type(self).__name__} did not begin with a table.")
        return self._model, self._columns

    @at_once
    def predict(self, X: Any, selection: str = "leader") -> np.ndarray:
        """Predictions or labels (T,), or predictions (T, M) of several targets; the model is not changed.

        Parameters
        ----------
        X : (T, d) array, frame or CSR matrix
        selection : "leader", the kernel in the lead, or "drawn", the one that the next round would draw. Where all
            kernels play ("raker", "lkmbooks"), both are their weighted mean.
        """
        return self._answers(self._values(X, selection))

    def _values(self, X: Any, selection: str) -> np.ndarray:
        """(T, M) in units of the target."""
        self._check_fitted()
        if selection not in SELECTIONS:
            messages.choice("selection", selection, SELECTIONS)
        return self._decide(inputs.rows(self, X, fresh=False), selection == "drawn")

    def _decide(self, X: Any, drawn: bool) -> np.ndarray:
        """The same for checked rows."""
        if isinstance(X, Table):
            return learning.decide(*self._parts, X, drawn)
        if type(X) is np.ndarray and len(X) == 1 and not drawn:
            return self._fitted.decide_row(self._fitted.row_like(X)).copy()
        return np.concatenate([self._fitted.decide(rows, drawn) for _, rows in inputs.parts(X)])

    def _interval(self, X: Any, confidence: float, selection: str) -> np.ndarray:
        """(T, M, 2)"""
        self._check_fitted()
        messages.choice("selection", selection, SELECTIONS)
        confidence, rows = checked_confidence(confidence), inputs.rows(self, X, fresh=False)
        parts = (
            learning.rows(*self._parts, rows) if isinstance(rows, Table) else (part for _, part in inputs.parts(rows))
        )
        return np.concatenate([self._fitted.interval(part, confidence, selection == "drawn") for part in parts])

    @overruns.asks
    def _ask(self, X: Any, id: int | str | None) -> Ticket:
        """A ticket for one checked row."""
        row = learning.ready(*self._parts, X) if isinstance(X, Table) else next(inputs.parts(X))[1]
        asked = self._fitted.ask(row, self._answer, id)
        if self._columns is not None:
            learning.tell_of_ids(self._columns)
        return asked

    def _check_fitted(self) -> None:
        if not self.__sklearn_is_fitted__():
            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet. Call 'fit' or 'partial_fit' first."
            )

    def __sklearn_is_fitted__(self) -> bool:
        return self._model is not None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _repr_html_inner(self) -> Any:
        """What scikit-learn's own _repr_html_ calls, where diagrams are wanted."""
        return self._panel() or super()._repr_html_inner()

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        own = self._panel()
        if own is None or get_config()["display"] != "diagram":
            return super()._repr_mimebundle_(**kwargs)  # type: ignore[no-any-return]
        return {"text/plain": repr(self), "text/html": own}

    def _answer(self, values: np.ndarray) -> Any:
        answer = self._answers(values)[0]
        return answer.tolist() if isinstance(answer, np.generic | np.ndarray) else answer

    def _pack(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """Parameters and what was fitted, as JSON and arrays."""
        params = self._portable_params()
        header = {"params": encode(params), "foreign": foreign(params), "fitted": None}
        if self._model is None:
            return header, {}
        header["foreign"] = foreign(params, vars(self._model.spec))
        about, arrays = packing.pack(self._model)
        fitted = {name: getattr(self, name, None) for name in ("n_features_in_", "feature_names_in_", "classes_")}
        if self._columns is not None:
            model, columns = self._parts
            fitted |= {"names": list(model.names), "together": model.together, "columns": kept.pack(columns)}
        header["fitted"] = encode({k: v for k, v in fitted.items() if v is not None})
        return {**header, "model": about}, arrays

    def _portable_params(self) -> dict[str, Any]:
        params = {name: getattr(self, name) for name in _names(type(self))}  # type: ignore[arg-type]
        if not isinstance(params["random_state"], int | np.integer | None):
            params["random_state"] = self._model.spec.random_state if self._model else None
        return params

    @classmethod
    def _unpack(cls, header: dict[str, Any], arrays: dict[str, np.ndarray]) -> Self:
        self = cls(**decode(header["params"]))
        if header["fitted"] is not None:
            fitted = decode(header["fitted"])
            if "columns" in fitted:
                names, together = fitted.pop("names"), counter(fitted.pop("together"))
                self._model = rebuilt(packing.unpack(NamedModel, header["model"], arrays), names, together)
                self._columns = kept.unpack(fitted.pop("columns"), self._model.expected)
            else:
                self._model = packing.unpack(Model, header["model"], arrays)
            for name, value in fitted.items():
                if name not in ("n_features_in_", "feature_names_in_", "classes_"):
                    raise ValueError(f"{name} is no attribute of an estimator")
                setattr(self, name, value)
            self._check_loaded()
            self._recall()
        return self

    def _check_loaded(self) -> None:
        """Whether the parts of a file fit together; the core does not look again."""
        width = self._fitted.spec.n_inputs if self._columns is None else len(self._columns.columns)
        if self.n_features_in_ != width:
            raise ValueError("the number of columns is not that of the model")
