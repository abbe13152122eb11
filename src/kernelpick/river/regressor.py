"""KernelRegressor for River."""

import math
from typing import Any

import numpy as np
from river import base
from river.conf.interval import Interval

from kernelpick.budget import overruns
from kernelpick.columns import learning
from kernelpick.columns.frames import is_frame
from kernelpick.core import NO_WEIGHTS
from kernelpick.files.container import register
from kernelpick.frames import columns_of, labels_of, like, rows_of, rows_where
from kernelpick.online.coverage import checked_confidence
from kernelpick.online.guard import at_once, learns, learns_at_once
from kernelpick.online.names import in_order
from kernelpick.online.tickets import Ticket
from kernelpick.river.base import RiverEstimator, number, weights
from kernelpick.targets import absent, is_absent


@register("river.KernelRegressor")
class KernelRegressor(RiverEstimator, base.MiniBatchRegressor):
    """Online kernel regression that picks its own kernel while the rows stream by.

    Works on raw data: inputs and targets are scaled on the fly. The default, "auto", has nothing to tune. Until there
    are kernels, from the 8th row on with "auto" and from the 32nd with the others, the mean of the targets so far is
    predicted, and 0.0 before the first.

    Parameters
    ----------
    algorithm
        "auto"; the paper's "rf-oks++", "rf-oks", "rf-ioks", "raker" (random features, bounded memory), "oks++", "oks",
        "ioks" (exact kernels, memory grows) or "lkmbooks"; or another row of the table, such as "rf-oks++-newton".
    loss
        "square", "huber" or "absolute"; the last is not smooth, and "auto" refuses it.
    selection
        "leader", predict by the kernel in the lead, or "drawn", by the one that the next round would draw.
    missing
        What becomes of missing values and absent keys: "mean", the mean so far and an indicator; "zero"; "raise",
        refused; None, the mean where the feature is mostly there, and else zero.
    seed
        Seed of all random numbers; None for a fresh one.
    missing_label
        "raise", a missing target (None, NaN, NA) is refused, or "skip", nothing is learned from its row.
    size
        "auto" as it is, "full", or where models are many "small" or "tiny".
    time_budget
        How long `predict_one` and `learn_one` of a row may take together, in seconds or as "300us": then the size that
        fits on this machine is chosen, in the place of `n_features`. `overruns_` tells how it was kept.
    kernels, n_features, budget, radius, step_scale, settings, horizon, hypotheses, forgetting, orthogonal
        As in `kernelpick.KernelRegressor`.
    scale, scale_target, companions, precision
        As in `kernelpick.KernelRegressor`.

    Examples
    --------
    >>> from kernelpick.river import KernelRegressor
    >>> from river import datasets, evaluate, metrics

    >>> model = KernelRegressor(seed=1, n_features=100)
    >>> evaluate.progressive_val_score(datasets.TrumpApproval(), model, metrics.MAE())
    MAE: ...

    A label that comes later is told with the ticket of its prediction:

    >>> ticket = model.ask({"ordinal_date": 737389})
    >>> model.tell(ticket, 41.0).n_rounds_
    1002
    """

    _classifies = False

    def __init__(
        self,
        algorithm: str = "auto",
        loss: str = "square",
        kernels: Any = "auto",
        n_features: int | None = None,
        budget: int = 500,
        radius: float | None = None,
        step_scale: float | None = None,
        settings: str = "paper",
        horizon: int | None = None,
        hypotheses: float = 1.3,
        forgetting: float | str = "auto",
        orthogonal: bool | str | None = None,
        scale: str | None = "standard",
        scale_target: bool | str = True,
        selection: str = "leader",
        missing: str | None = None,
        seed: int | None = None,
        missing_label: str = "raise",
        companions: Any = "auto",
        size: str = "full",
        time_budget: float | str | None = None,
        precision: str = "double",
    ) -> None:
        self._keep(locals())

    @overruns.plays_one
    def learn_one(self, x: dict[Any, Any], y: Any, w: float = 1.0) -> None:
        """Play one round: a draw, its prediction, and learning from the target y with weight w.

        A dict of several targets makes this a model of all of them, which share kernels and matrices.
        """
        if type(y) is float and w == 1.0 and self._several is None and math.isfinite(y):  # usually
            model, row = self._ready(x)
            model.learn_row(row, y)
            self._tell_of_ids()
            return
        target, weight = self._told(y), weights(w)
        if target is None:
            return
        model, row = self._ready(x, weight, target.shape[1])
        self._note(y)
        if weight is NO_WEIGHTS:
            model.learn_row(row, target)
        else:
            model.learn(row, target, weight)
        self._tell_of_ids()

    @overruns.comes_before
    def predict_one(self, x: dict[Any, Any], with_interval: bool = False, confidence: float = 0.9) -> Any:
        """The prediction for one row, a dict where there are several targets; the model is not changed.

        With an interval, where the target lies with that confidence, as River's conformal regressors say it.
        """
        if with_interval:
            return self._ends(x, checked_confidence(confidence))
        return 0.0 if self._model is None else self._answer(self._decide(self._model, x))

    def _ends(self, x: dict[Any, Any], confidence: float) -> Any:
        model = self._model
        if model is None:
            return Interval(-math.inf, math.inf)
        drawn = self.selection == "drawn"
        ends = [Interval(*pair) for pair in model.interval(self._known(model, x), confidence, drawn)[0].tolist()]
        return ends[0] if self._several is None else dict(zip(self._several, ends, strict=True))

    @overruns.plays_many
    @learns
    def learn_many(self, X: Any, y: Any) -> None:
        """The same as `learn_one` for each row of a frame; y is a series, or a frame of several targets."""
        names = in_order(columns_of(y)) if is_frame(y) else None
        if names is not None:
            told = [self._told(row) for row in rows_of(y, len(X))]
            missing = np.array([one is None for one in told], dtype=bool)
            values = np.array([one[0] for one in told if one is not None]).reshape(-1, len(names))
        else:
            given = labels_of(y, len(X))
            if self._several is not None:
                raise ValueError(f"This model has the targets {self._several}: give a frame of them, not one series.")
            missing = absent(given, self.missing_label)
            values = _numbers(given[~missing])
        if missing.any():
            X = rows_where(X, ~missing)
        if len(X):
            with self._guard:
                model, table = self._checked(X, values.shape[1])
                self._note(None if names is None else dict.fromkeys(names))
            learning.learn(model, self._columns, table, values)

    @at_once
    def predict_many(self, X: Any) -> Any:
        """Predictions for the rows of a frame, as a series, or a frame where there are several targets."""
        values = np.zeros((len(X), 1)) if self._model is None else self._decide_many(self._model, X)
        if self._several is None:
            return like(X, values[:, 0])
        return like(X, {name: values[:, m] for m, name in enumerate(self._several)})

    @overruns.asks
    @learns_at_once
    def ask(self, x: dict[Any, Any], id: int | str | None = None) -> Ticket:
        """The prediction for one row whose target will be told later: a ticket for `tell` or `drop`.

        It has a number, or an id of yours that no open ticket has.
        """
        id = self._free(id)
        model, row = self._ready(x)
        self._tell_of_ids()
        return model.ask(row, self._answer, id)

    def _answer(self, values: np.ndarray) -> Any:
        if self._several is None:
            return float(values[0, 0])
        return dict(zip(self._several, values[0].tolist(), strict=True))

    def _note(self, y: Any) -> None:
        """The names of several targets, when the first of them have been accepted."""
        if isinstance(y, dict) and self._several is None:
            self._several = in_order(y)

    def _told(self, y: Any) -> np.ndarray | None:
        """(1, M) numbers, in the order of their names where they are several; None where one of them is missing."""
        if not isinstance(y, dict):
            if self._several is not None:
                raise ValueError(f"This model has the targets {self._several}: give them as a dict, not {y!r}.")
            return None if is_absent(y, self.missing_label) else np.array([[number("y", y)]])
        names = in_order(y)
        if self._model is not None and names != self._several:
            has = "a single target" if self._several is None else f"the targets {self._several}"
            raise ValueError(f"The targets {names} are given to a model of {has}.")
        if not names:
            raise ValueError("A row needs at least one target: y is an empty dict.")
        if any(is_absent(y[name], self.missing_label, f"y[{name!r}]") for name in names):
            return None
        return np.array([[number(name, y[name]) for name in names]])


def _numbers(targets: np.ndarray) -> np.ndarray:
    """(T, 1) as learn_one reads them; a copy, since what pandas hands out can't be written to: compiled code would be
    compiled anew for it."""
    if targets.dtype != np.float64 or not np.isfinite(targets).all():
        targets = np.array([number("y", target) for target in targets.tolist()], dtype=np.float64)
    return targets[:, None].copy()
