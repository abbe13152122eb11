"""KernelClassifier for River."""

from collections.abc import Hashable
from typing import Any

import numpy as np
from river import base

from kernelpick.columns import learning
from kernelpick.files.container import register
from kernelpick.frames import labels_of, like
from kernelpick.online import classes
from kernelpick.online.columns import NamedModel, plain
from kernelpick.online.tickets import Ticket
from kernelpick.river.base import RiverEstimator, weights


@register("river.KernelClassifier")
class KernelClassifier(RiverEstimator, base.MiniBatchClassifier):
    """Online kernel classification that picks its own kernel while the rows stream by.

    Works on raw data: inputs are scaled on the fly. The default, "auto", has nothing to tune. Until there are kernels,
    from the 8th row on with "auto" and from the 32nd with the others, the most frequent class so far is predicted.
    Classes may appear at any time. Before the first one, the prediction is None.

    Parameters
    ----------
    algorithm
        "auto"; the paper's "rf-oks++", "rf-oks", "rf-ioks", "raker" (random features, bounded memory), "oks++", "oks",
        "ioks" (exact kernels, memory grows) or "lkmbooks"; or another row of the table, such as "rf-oks++-newton".
    loss
        "logistic", "hinge" or "squared_hinge"; only the first one has probabilities.
    selection
        "leader", predict by the kernel in the lead, or "drawn", by the one that the next round would draw.
    missing
        What becomes of missing values and absent keys: "mean", the mean so far and an indicator; "zero"; "raise",
        refused; None, the mean where the feature is mostly there, and else zero.
    seed
        Seed of all random numbers; None for a fresh one.
    kernels, n_features, budget, radius, step_scale, settings, horizon, hypotheses, forgetting, orthogonal, scale
        As in `kernelpick.KernelClassifier`.

    Examples
    --------
    >>> from kernelpick.river import KernelClassifier
    >>> from river import datasets, evaluate, metrics

    >>> model = KernelClassifier(seed=1, n_features=100)
    >>> evaluate.progressive_val_score(datasets.Phishing(), model, metrics.Accuracy())
    Accuracy: ...
    """

    _classifies = True
    loss: str

    def __init__(
        self,
        algorithm: str = "auto",
        loss: str = "logistic",
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
        selection: str = "leader",
        missing: str | None = None,
        seed: int | None = None,
    ) -> None:
        self._keep(locals())
        self._classes: dict[Hashable, int] = {}

    @property
    def _multiclass(self) -> bool:
        return True

    def learn_one(self, x: dict[Any, Any], y: Any, w: float = 1.0) -> None:
        """Play one round: a draw, its prediction, and learning from the label y with weight w."""
        weight = weights(w)
        _check_label(y)
        model, row = self._ready(x, weight)
        model.learn(row, self._told(y), weight)
        self._tell_of_ids()

    def predict_one(self, x: dict[Any, Any], **kwargs: Any) -> Any:
        """The label predicted for one row, None before the first class; the model is not changed."""
        if self._model is None or not self._classes:
            return None
        return list(self._classes)[classes.winners(len(self._classes), self._decide(self._model, x))[0]]

    def predict_proba_one(self, x: dict[Any, Any], **kwargs: Any) -> dict[Any, float]:
        """The probability of each class, with the logistic loss; until there are kernels, from their counts so far."""
        self._need_logistic()
        if self._model is None or not self._classes:
            return {}
        values = self._probabilities(self._model, self._decide(self._model, x))
        return dict(zip(self._classes, values[0].tolist(), strict=True))

    def learn_many(self, X: Any, y: Any) -> None:
        """The same as `learn_one` for each row of a frame."""
        labels = list(labels_of(y, len(X)))
        if not labels:
            return
        for label in labels:
            _check_label(label)
        (model, table), start = self._checked(X), 0
        while start < len(labels):  # in pieces that start with a label that is new
            self._join(labels[start])
            stop = next((i for i in range(start, len(labels)) if labels[i] not in self._classes), len(labels))
            places = np.array([self._classes[label] for label in labels[start:stop]])
            learning.learn(model, self._columns, table[start:stop], classes.targets(len(self._classes), places))
            start = stop

    def predict_many(self, X: Any) -> Any:
        """The labels predicted for the rows of a frame, as a series."""
        if self._model is None or not self._classes:
            return like(X, [None] * len(X))
        places = classes.winners(len(self._classes), self._decide_many(self._model, X))
        labels = list(self._classes)
        return like(X, [labels[place] for place in places])

    def predict_proba_many(self, X: Any) -> Any:
        """The probabilities of all classes, one a column of a frame."""
        self._need_logistic()
        if self._model is None or not self._classes:
            return like(X, {})
        values = self._probabilities(self._model, self._decide_many(self._model, X))
        return like(X, {label: values[:, i] for label, i in self._classes.items()})

    def ask(self, x: dict[Any, Any]) -> Ticket:
        """The label predicted for one row, whose true one will be told later: a ticket for `tell` or `drop`."""
        model, row = self._ready(x)
        number, values = model.ask(row)
        labels = list(self._classes)
        return Ticket(number, labels[classes.winners(len(labels), values)[0]] if labels else None)

    def _probabilities(self, model: NamedModel, values: np.ndarray) -> np.ndarray:
        """(T, classes)"""
        targets = model.only_targets()
        if targets is not None:
            return np.tile(classes.shares(len(self._classes), targets), (len(values), 1))
        return classes.probabilities(len(self._classes), values)

    def _told(self, y: Any) -> np.ndarray:
        _check_label(y)
        self._join(y)
        return classes.targets(len(self._classes), np.array([self._classes[y]]))

    def _join(self, label: Hashable) -> None:
        """Take a class that may be new."""
        if label in self._classes:
            return
        before = len(self._classes)
        self._classes[plain(label)] = before
        if before:
            self._fitted.remap(*classes.transition(before, [*range(before), -1]))

    def _need_logistic(self) -> None:
        if self.loss != "logistic":
            raise NotImplementedError(f"Probabilities need the logistic loss; this classifier has {self.loss!r}.")


def _check_label(label: Any) -> None:
    try:
        hash(label)
    except TypeError:
        raise ValueError(f"A row has one label, and it can't be a list or an array: y is {label!r}.") from None
