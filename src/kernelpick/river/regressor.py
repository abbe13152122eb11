"""KernelRegressor for River."""

from typing import Any

import numpy as np
from river import base

from kernelpick.files.container import register
from kernelpick.frames import columns_of, labels_of, like, matrix, rows_where
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
    seed
        Seed of all random numbers; None for a fresh one.
    missing_label
        "raise", a missing target (None, NaN, NA) is refused, or "skip", nothing is learned from its row.
    kernels, n_features, budget, radius, step_scale, settings, horizon, hypotheses, forgetting, orthogonal, scale,
    scale_target
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
        forgetting: float = 1.0,
        orthogonal: bool | None = None,
        scale: str | None = "standard",
        scale_target: bool = True,
        selection: str = "leader",
        seed: int | None = None,
        missing_label: str = "raise",
    ) -> None:
        self._keep(locals())

    def learn_one(self, x: dict[Any, Any], y: Any, w: float = 1.0) -> None:
        """Play one round: a draw, its prediction, and learning from the target y with weight w."""
        target, weight = self._told(y), weights(w)
        if target is None:
            return
        model, row = self._ready(x)
        model.learn(row, target, weight)

    def predict_one(self, x: dict[Any, Any]) -> float:
        """The prediction for one row; the model is not changed."""
        return 0.0 if self._model is None else self._decide(self._model, x).item()  # type: ignore[no-any-return]

    def learn_many(self, X: Any, y: Any) -> None:
        """The same as `learn_one` for each row of a frame."""
        targets = labels_of(y, len(X))
        missing = absent(targets, self.missing_label)
        if missing.any():
            X, targets = rows_where(X, ~missing), targets[~missing]
        if targets.dtype != np.float64 or not np.isfinite(targets).all():  # as learn_one does
            targets = np.array([number("y", target) for target in targets.tolist()], dtype=np.float64)
        if len(X):
            matrix(X)  # refuses before anything is changed
            model, _ = self._ready(dict.fromkeys(columns_of(X), 0.0))
            # A copy: what pandas hands out can't be written to, and compiled code would be compiled anew for it.
            model.learn(self._rows(model, X), targets[:, None].copy())

    def predict_many(self, X: Any) -> Any:
        """Predictions for the rows of a frame, as a series."""
        values = np.zeros(len(X)) if self._model is None else self._decide_many(self._model, X)[:, 0]
        return like(X, values)

    def ask(self, x: dict[Any, Any], id: int | str | None = None) -> Ticket:
        """The prediction for one row whose target will be told later: a ticket for `tell` or `drop`.

        It has a number, or an id of yours that no open ticket has.
        """
        id = self._free(id)
        model, row = self._ready(x)
        return model.ask(row, self._answer, id)

    def _answer(self, values: np.ndarray) -> float:
        return float(values[0, 0])

    def _told(self, y: Any) -> np.ndarray | None:
        return None if is_absent(y, self.missing_label) else np.array([[number("y", y)]])
