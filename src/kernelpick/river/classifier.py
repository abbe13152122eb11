"""KernelClassifier for River."""

from collections.abc import Hashable
from typing import Any

import numpy as np
from river import base

from kernelpick.budget import overruns
from kernelpick.columns import learning
from kernelpick.core import NO_WEIGHTS
from kernelpick.files.container import register
from kernelpick.frames import labels_of, like, rows_where
from kernelpick.online import classes
from kernelpick.online.coverage import checked_confidence
from kernelpick.online.guard import at_once, learns, learns_at_once
from kernelpick.online.names import plain
from kernelpick.online.tickets import Ticket
from kernelpick.river.base import RiverEstimator, weights
from kernelpick.targets import ONE_KIND, check_one_kind, is_absent, kind


@register("river.KernelClassifier")
class KernelClassifier(RiverEstimator, base.MiniBatchClassifier):
    """Online kernel classification that picks its own kernel while the rows stream by.

    Works on raw data: inputs are scaled on the fly. The default, "auto", has nothing to tune. Until there are kernels,
    from the 8th row on with "auto" and from the 32nd with the others, the most frequent class so far is predicted.
    Classes may appear at any time, all of one kind: numbers among strings are refused. Before the first one, the
    prediction is None.

    Parameters
    ----------
    algorithm
        "auto"; the paper's "rf-oks++", "rf-oks", "rf-ioks", "raker" (random features, bounded memory), "oks++", "oks",
        "ioks" (exact kernels, memory grows) or "lkmbooks"; with loss="hinge" also "rf-bao2ks" and "bao2ks"; or another
        row of the table, such as "rf-oks++-newton".
    loss
        "logistic", "hinge" or "squared_hinge"; only the first one has probabilities.
    selection
        "leader", predict by the kernel in the lead, or "drawn", by the one that the next round would draw.
    missing
        What becomes of missing values and absent keys: "mean", the mean so far and an indicator; "zero"; "raise",
        refused; None, the mean where the feature is mostly there, and else zero.
    seed
        Seed of all random numbers; None for a fresh one.
    missing_label
        "raise", a missing label (None, NaN, NA) is refused, or "skip", nothing is learned from its row.
    class_weight
        None; "balanced", a row counts the less, the more often its class has come; or a dict of factors by label.
    size
        "auto" as it is, "full", or where models are many "small" or "tiny".
    time_budget
        How long `predict_one` and `learn_one` of a row may take together, in seconds or as "300us": then the size that
        fits on this machine is chosen, in the place of `n_features`. `overruns_` tells how it was kept.
    kernels, n_features, budget, radius, step_scale, settings, horizon, hypotheses, forgetting, orthogonal
        As in `kernelpick.KernelClassifier`.
    scale, companions, precision
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
    class_weight: Any

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
        forgetting: float | str = "auto",
        orthogonal: bool | str | None = None,
        scale: str | None = "standard",
        selection: str = "leader",
        missing: str | None = None,
        seed: int | None = None,
        missing_label: str = "raise",
        class_weight: Any = None,
        companions: Any = "auto",
        size: str = "full",
        time_budget: float | str | None = None,
        precision: str = "double",
    ) -> None:
        self._keep(locals())
        self._classes: dict[Hashable, int] = {}

    @property
    def _multiclass(self) -> bool:
        return True

    @overruns.plays_one
    def learn_one(self, x: dict[Any, Any], y: Any, w: float = 1.0) -> None:
        """Play one round: a draw, its prediction, and learning from the label y with weight w."""
        weight = weights(w)
        if self._is_label(y):
            if self.class_weight is not None:
                weight = weights(w * self._weight_of(y))
            model, row = self._ready(x, weight)
            if y in self._classes or w > 0.0:  # a row that weighs nothing brings no class
                told = self._outputs(y)
                model.learn_row(row, told) if weight is NO_WEIGHTS else model.learn(row, told, weight)
            self._tell_of_ids()

    @overruns.comes_before
    def predict_one(self, x: dict[Any, Any], **kwargs: Any) -> Any:
        """The label predicted for one row, None before the first class; the model is not changed."""
        if self._model is None or not self._classes:
            return None
        return list(self._classes)[classes.winners(len(self._classes), self._decide(self._model, x))[0]]

    @at_once
    def predict_proba_one(self, x: dict[Any, Any], **kwargs: Any) -> dict[Any, float]:
        """The probability of each class, with the logistic loss; until there are kernels, from their counts so far."""
        self._need_logistic()
        if self._model is None or not self._classes:
            return {}
        values = self._model.chances(len(self._classes), self._decide(self._model, x))
        return dict(zip(self._classes, values[0].tolist(), strict=True))

    @at_once
    def predict_set_one(self, x: dict[Any, Any], confidence: float = 0.9) -> set[Any]:
        """The classes that one row may be of, with that confidence; none, where none is as probable as labels are."""
        self._need_logistic()
        confidence = checked_confidence(confidence)
        if self._model is None or not self._classes:
            return set()
        within = self._model.members(len(self._classes), self._decide(self._model, x), confidence)[0]
        return {label for label, place in self._classes.items() if within[place]}

    @overruns.plays_many
    @learns
    def learn_many(self, X: Any, y: Any) -> None:
        """The same as `learn_one` for each row of a frame."""
        labels = list(labels_of(y, len(X)))
        there = np.array([self._is_label(label, f"y[{row}]") for row, label in enumerate(labels)], dtype=bool)
        if not there.any():
            return
        if not there.all():
            X, labels = rows_where(X, there), [label for label, has in zip(labels, there, strict=True) if has]
        check_one_kind(labels)
        (model, table), start = self._checked(X), 0
        factors = np.array([self._weight_of(label) for label in labels])
        factors = NO_WEIGHTS if (factors == 1.0).all() else factors

        def learn(start: int, stop: int) -> None:
            told = classes.targets(len(self._classes), np.array([self._classes[label] for label in labels[start:stop]]))
            learning.learn(model, self._columns, table[start:stop], told, factors[start:stop])

        while start < len(labels):
            if labels[start] not in self._classes:
                with self._guard:  # nobody sees the new class without its first row
                    if not len(factors) or factors[start] > 0.0:  # columns that it brings come first, as in learn_one
                        learning.bear(model, self._columns, table[start : start + 1])
                    self._join(labels[start])
                    learn(start, start + 1)
                start += 1
            stop = next((i for i in range(start, len(labels)) if labels[i] not in self._classes), len(labels))
            if stop > start:
                learn(start, stop)
            start = stop

    @at_once
    def predict_many(self, X: Any) -> Any:
        """The labels predicted for the rows of a frame, as a series."""
        if self._model is None or not self._classes:
            return like(X, [None] * len(X))
        places = classes.winners(len(self._classes), self._decide_many(self._model, X))
        labels = list(self._classes)
        return like(X, [labels[place] for place in places])

    @at_once
    def predict_proba_many(self, X: Any) -> Any:
        """The probabilities of all classes, one a column of a frame."""
        self._need_logistic()
        if self._model is None or not self._classes:
            return like(X, {})
        values = self._model.chances(len(self._classes), self._decide_many(self._model, X))
        return like(X, {label: values[:, i] for label, i in self._classes.items()})

    @overruns.asks
    @learns_at_once
    def ask(self, x: dict[Any, Any], id: int | str | None = None) -> Ticket:
        """The label predicted for one row, whose true one will be told later: a ticket for `tell` or `drop`.

        It has a number, or an id of yours that no open ticket has.
        """
        id = self._free(id)
        model, row = self._ready(x)
        self._tell_of_ids()
        return model.ask(row, self._answer, id)

    def _answer(self, values: np.ndarray) -> Any:
        labels = list(self._classes)
        return labels[classes.winners(len(labels), values)[0]] if labels else None

    def _told(self, y: Any) -> np.ndarray | None:
        return self._outputs(y) if self._is_label(y) else None

    def _is_label(self, label: Any, where: str = "y") -> bool:
        """Whether there is a label at all; refused is what can't be one, or none of this model."""
        if is_absent(label, self.missing_label, where):
            return False
        try:
            known = label in self._classes
        except TypeError:
            raise ValueError(
                f"A row has one label, and it can't be a list or an array: {where} is {label!r}."
            ) from None
        if not known and self._classes and kind(label) not in map(kind, self._classes):
            some = list(self._classes)[:3]
            raise ValueError(f"The label {label!r} can't join the classes {some}: {ONE_KIND}")
        return True

    def _outputs(self, y: Hashable) -> np.ndarray:
        """(1, M) for one label, which may be new."""
        self._join(y)
        return classes.targets(len(self._classes), np.array([self._classes[y]]))

    @at_once
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
