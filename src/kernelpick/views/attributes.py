"""What all estimators tell of what they think: history_, memories_, importances_, coverage_, plot() and more."""

from typing import Any

from kernelpick.columns.stream import Columns
from kernelpick.online.companions import KERNELS
from kernelpick.online.guard import at_once
from kernelpick.online.history import Entry
from kernelpick.online.model import Model
from kernelpick.views.figure import figure
from kernelpick.views.panel import panel


class Views:
    """Of an estimator, which has a model and columns."""

    _fitted: Any  # the model; an AttributeError where there is none
    _columns: Columns | None
    _model: Model | None

    @property
    @at_once
    def history_(self) -> list[Entry]:
        """What it thought of the kernels: after rounds that are powers of two, after fits, and when another one leads.

        An entry has ``round``, ``why`` ("round", "fit", "lead", or "challenge": the leader has become worse and is
        challenged), ``kernels`` and the ``losses`` of each, the place of the ``leader`` among them, by how much it is
        in the ``lead``, the ``error`` and the ``coverage`` up to there; ``kernel`` is the one in the lead. Where arms
        are drawn or all play, it is looked at every 512 rounds whether another one leads. At most 256 are kept.
        """
        return list(self._fitted.history.entries)

    @property
    @at_once
    def memories_(self) -> dict[float, float]:
        """The share in the next prediction of each memory, by what a round leaves of the weight of those before it.

        1 is the kernel in the lead, which forgets nothing; the share of the line is in that of 0.998. There is no other
        where ``forgetting`` is a number, or the algorithm is not "auto".

        Examples
        --------
        >>> import numpy as np
        >>> from kernelpick import KernelRegressor
        >>> X = np.random.default_rng(0).normal(size=(2000, 2))
        >>> turning = np.arange(2000) / 50  # the target follows another direction all the time
        >>> y = np.cos(turning) * X[:, 0] + np.sin(turning) * X[:, 1]
        >>> model = KernelRegressor(random_state=0).partial_fit(X, y)
        >>> max(model.memories_, key=model.memories_.get)
        0.95
        """
        memories = self._fitted.memories
        return {1.0: 1.0} if memories is None else memories.shares

    @property
    def out_of_range_(self) -> int:
        """Rows with an input outside the range that its scale was made for; many of them lead to new scales."""
        return self._fitted.out_of_range

    @property
    @at_once
    def importances_(self) -> Any:
        """How much each column moves the prediction; together 1. An array, or a dict where columns have names.

        The mean squared gradient of the hypothesis in the lead times the variance of the input, over the last 256 rows
        (all scaled), added up over targets or classes and over the inputs that a column became. What two columns say
        alike is shared between them in no particular way. Only random features have it ("auto", not "oks").

        Examples
        --------
        >>> import numpy as np
        >>> from kernelpick import KernelRegressor
        >>> X = np.random.default_rng(0).normal(size=(600, 3))
        >>> model = KernelRegressor(random_state=0).partial_fit(X, X[:, 0] + 2 * X[:, 1])
        >>> model.importances_.round(1)
        array([0.2, 0.8, 0. ])
        """
        model = self._fitted
        found = model.importances()
        if isinstance(found, str):
            raise AttributeError(f"This {type(self).__name__} has no importances_: {found}.")
        if self._columns is None:
            return found[: model.n_columns]
        there = {one.name: [i for i in one.all_places() if i < model.n_columns] for one in self._columns.columns}
        return {name: float(found[places].sum()) for name, places in there.items()}  # what waits moves nothing

    @property
    @at_once
    def companions_(self) -> dict[str, Any]:
        """What the prediction is made of: the weights of "kernels" and of each companion by its name, as the stack has
        learned them; a list of them where there are several targets or classes. A companion that has nothing to say
        yet, as trees before row 512, weighs 0.

        Examples
        --------
        >>> import numpy as np
        >>> from kernelpick import KernelRegressor
        >>> X = np.random.default_rng(0).normal(size=(1500, 3))
        >>> model = KernelRegressor(random_state=0).partial_fit(X, np.where(X[:, 0] > 0.5, 3.0, 1.0))
        >>> model.companions_["trees"] > model.companions_["kernels"]
        True
        """
        model = self._fitted
        return model.companions.shares(model.spec.n_inputs) if model.companions else {KERNELS: 1.0}

    @property
    @at_once
    def coverage_(self) -> float:
        """The share of rows so far that were within their 0.9 intervals, or of labels in their 0.9 sets.

        Each row counts by what was said before its target was used, in classification from the last fit on. NaN where
        there is none.
        """
        return float(self._fitted.coverage)

    @property
    @at_once
    def interval_width_(self) -> float:
        """The mean width of 0.9 intervals so far, in units of y: of the first 1,000 rows, and then of every fourth."""
        if self._fitted.intervals is None:
            raise AttributeError("A classifier has sets of classes and no intervals, so it has no interval_width_.")
        return float(self._fitted.width)

    @at_once
    def plot(self) -> Any:
        """A matplotlib figure over the rounds: progressive error, the kernel in the lead, coverage of 0.9.

        It is drawn from ``history_``, so it costs nothing before it is asked for. ``kernelpick[plot]`` brings
        matplotlib.
        """
        model = self._fitted
        if model.state is None:
            raise ValueError("There is nothing to plot yet: rows are kept until kernels can be chosen.")
        now, past = model.now(), model.history.entries
        return figure([*(one for one in past if one.round < now.round), now], type(self).__name__)

    @at_once
    def _panel(self) -> str | None:
        """What a notebook shows, once there is something to show."""
        model = self._model
        if model is None or not model.rounds:
            return None
        return panel(type(self).__name__, model, getattr(self, "importances_", None))
