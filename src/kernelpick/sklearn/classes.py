"""An estimator whose targets are classes, declared beforehand or appearing in the stream."""

from typing import Any

import numpy as np

from kernelpick.columns import learning
from kernelpick.columns.tables import Table
from kernelpick.core.messages import choice
from kernelpick.online import classes as outputs
from kernelpick.online.guard import at_once
from kernelpick.sklearn import inputs, labels
from kernelpick.sklearn.base import KernelEstimator


class EstimatorWithClasses(KernelEstimator):
    """Labels to outputs +-1 and back; a class that joins gets an output of its own."""

    _classifies = True
    new_classes: str
    class_weight: Any
    classes_: np.ndarray

    @at_once
    def _start(self, given: Any, rows: Any, classes: np.ndarray) -> None:
        if choice("new_classes", self.new_classes, ("refuse", "accept")) == "refuse":
            labels.check_weights(self.class_weight, classes)
        self._begin(given, rows, outputs.n_outputs(len(classes)))
        self.classes_ = classes

    def _checked(
        self, given: Any, y: Any, classes: Any, sample_weight: Any, progressive: bool = False
    ) -> tuple[Any, np.ndarray, np.ndarray]:
        """Rows, labels and weights; nothing of the model has changed when they are refused.

        In progressive learning a first call knows the classes of y where they are not declared.
        """
        fresh = not self.__sklearn_is_fitted__()
        X = inputs.rows(self, given, fresh)
        there, missing = labels.given(inputs.vector(y, X.shape[0]), self.missing_label)
        weights = inputs.weights(sample_weight, X, missing)
        accepts = self.new_classes == "accept"
        if fresh and classes is None and (progressive or accepts) and not len(there):
            if progressive:
                raise ValueError("No row has a label, and nothing is known of the classes: declare them by classes=.")
            return X[:0], there, weights[:0]
        if fresh and classes is None and progressive:
            classes = np.unique(there)
        known = labels.known(None if fresh else self.classes_, classes, there, accepts)
        if not fresh and isinstance(X, Table):
            learning.check(*self._parts, X)
        if fresh:
            self._start(given, X, known)
        elif classes is not None:
            self._extend(known)
        y = labels.for_all(there, missing, known[0])
        return X, y, self._weighed(y, weights)

    def _weight_of(self, y: Any) -> float:
        return super()._weight_of(inputs.single(y)[0])

    def _weighed(self, y: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """The weights of rows with these labels, where a dict has some for classes."""
        if not isinstance(self.class_weight, dict):
            return weights
        kinds, which = np.unique(y, return_inverse=True)
        factors = np.array([self._weight_of(label) for label in kinds])[which]
        return factors * weights if len(weights) else factors

    @at_once
    def _extend(self, classes: np.ndarray) -> None:
        """Go on with more classes."""
        if len(classes) > len(self.classes_):
            places, known = labels.find(self.classes_, classes)
            self._fitted.remap(*outputs.transition(len(self.classes_), np.where(known, places, -1).tolist()))
            self.classes_ = classes

    def _learn(self, X: Any, y: np.ndarray, weights: np.ndarray, progressive: bool = False) -> np.ndarray | None:
        """In pieces, each starting with a label that is new."""
        if not len(y):  # no label has come yet
            return None
        said, start = [], 0
        while True:
            unseen = np.flatnonzero(~labels.find(self.classes_, y[start:])[1])
            stop = start + int(unseen[0]) if len(unseen) else len(y)
            if stop > start:
                if start == 0 and stop == len(y):
                    return super()._learn(X, y, weights, progressive)
                said.append(super()._learn(X[start:stop], y[start:stop], weights[start:stop], progressive))
            if stop >= len(y):
                return np.concatenate(said) if progressive else None  # type: ignore[arg-type]
            new, start = slice(stop, stop + 1), stop + 1
            with self._guard:  # nobody sees the new class without its first row
                if progressive:  # what is said to this row is said before its label is known
                    said.append(self._answers(self._decide(X[new], drawn=True)))
                self._extend(labels.merged(self.classes_, y[new]))
                super()._learn(X[new], y[new], weights[new])

    def _targets(self, y: np.ndarray) -> np.ndarray:
        return outputs.targets(len(self.classes_), labels.find(self.classes_, y)[0])

    def _answers(self, values: np.ndarray) -> np.ndarray:
        return self.classes_[outputs.winners(len(self.classes_), values)]

    def _told(self, y: Any) -> np.ndarray | None:
        label, missing = labels.given(inputs.single(y), self.missing_label)
        if missing[0]:
            return None
        if not labels.find(self.classes_, label)[1].all():
            if self.new_classes != "accept":
                raise labels.undeclared(label.tolist(), self.classes_)
            self._extend(labels.merged(self.classes_, label))
        return self._targets(label)

    def _check_loaded(self) -> None:
        super()._check_loaded()
        if outputs.n_outputs(len(self.classes_)) != self._fitted.spec.n_outputs:
            raise ValueError("the number of classes is not that of the model")
