"""KernelClassifier."""

from typing import Any, Self

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.exceptions import NotFittedError
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets

from kernelpick.files.container import register
from kernelpick.online.coverage import checked_confidence
from kernelpick.online.guard import at_once, learns, learns_at_once
from kernelpick.online.tickets import Ticket
from kernelpick.sklearn import inputs, labels
from kernelpick.sklearn.classes import EstimatorWithClasses


def _is_logistic(estimator: Any) -> bool:
    if estimator.loss == "logistic":
        return True
    raise AttributeError(f"Probabilities need the logistic loss; this classifier has {estimator.loss!r}.")


@register("sklearn.KernelClassifier")
class KernelClassifier(ClassifierMixin, EstimatorWithClasses):
    """Online kernel classification that picks its own kernel while the rows stream by.

    Works on raw data: inputs are scaled on the fly. The default, "auto", has nothing to tune: second-order learners
    beside a linear model, with scales and widths found from the first 8, 64 and 512 rows. With the other algorithms a
    row is scaled by statistics of the rows before it, frozen after 1000 rows, and the first 32 rows are held back to
    choose the kernels. Until there are kernels, the most frequent class so far is predicted. ``fit`` ends the holding
    back, so that it also works with fewer rows.

    More than two classes are learned one against the rest: all share the random features and the one kernel of a
    round, whose loss is the sum over the classes.

    A row whose loss is not finite, as that of a target of 1e200, teaches nothing: it is passed over, with a warning.

    Parameters
    ----------
    algorithm : "auto"; the paper's "rf-oks++", "rf-oks", "rf-ioks", "raker" (random features), "oks++", "oks", "ioks",
        "lkmbooks" (exact kernels); "rf-bao2ks", "bao2ks" (with loss="hinge"); "leader"; or a selector with another
        learner, such as "rf-oks++-newton". The docs help to choose.
    loss : "logistic", "squared_hinge", or "hinge", which is not smooth: "auto", the OKS++ pair and newton refuse it.
    kernels : "auto", for widths around the data's own scale, or a list of kernels, or of widths of Gaussian kernels.
    n_features : number of frequencies of random features; each gives a cosine and a sine. By default 400; for "auto" as
        many as the time of a round allows, 64 to 256.
    budget : number of examples that "lkmbooks" may store.
    radius : bound on the norm of a hypothesis; by default 15 for the logistic loss and 10 for the others (bao2ks: 20).
        Algorithms that project (OKS++, IOKS and bao2ks) keep to it.
    step_scale : factor of the step size of "oks", "rf-oks" (default 25 for the logistic loss, else 5), "raker" and
        adagrad (5); newton and "auto" have the ridge 1/step_scale (5).
    settings : "paper", what the theorems speak of, or "published", what produced the paper's tables.
    horizon : number of rounds that the rates are set for; None: nobody knows, they are set anew each time the number
        of rounds has doubled.
    hypotheses : how many hypotheses "auto" and "leader" evaluate a round, on average: 1 is a pure bandit.
    forgetting : newton and "auto": what a round leaves of the weight of all rounds before it; 1 for no forgetting. With
        "auto", the algorithm "auto" chooses on the fly: beside its leader, which forgets nothing, play small hypotheses
        that forget (``memories_``); no other algorithm forgets then.
    companions : what predicts beside the kernels and is joined with them: "auto", boosted trees for "auto" and nothing
        for the others; or a list of names, as ["trees"], which may be empty.
    orthogonal : whether random features use orthogonal frequencies, which are more accurate; by default for "auto" and
        "leader" only. "structured", for the algorithms with "rf-": as accurate, and faster with 64 columns and more.
    precision : "double", or "single" for random features, in about half the time and memory with first-order steps;
        matrices of second-order ones stay double. See docs/speed.md.
    scale : "standard" (mean 0, standard deviation 1), "range" (to [-1, 1]), "maxabs" (for sparse inputs: zeros stay
        zeros) or None for inputs that are used as they are. Scaled inputs are clipped to [-5, 5]; not so with "auto",
        where a bounded copy of them goes to the kernels.
    new_classes : "refuse" or "accept" labels that were not declared; they get a hypothesis that is zero. All labels
        must be of one kind: numbers among strings are refused.
    class_weight : None; "balanced", a row counts rows/(classes x rows of its class), of those so far; or a dict of such
        factors by label, 1 for those that it leaves out. Probabilities are then those of classes weighed so.
    missing_label : "raise", a missing label (None, NaN, NA) is refused, or "skip", its row is predicted and not learned
        from, as one of weight 0.
    passes : how often ``fit`` goes over the rows: first in their order, then shuffled. "auto": until 10,000 rounds
        are played, at least 3 and at most 100 times; once with algorithm "auto".
    missing : what becomes of missing values: "mean", the mean so far and an indicator; "zero"; "raise", refused; None,
        the mean for frames, while arrays refuse them. The page on real streams has the rules.
    size : "full", or for "auto" where models are many: "small", less than 200 kB in a file at ten columns, or "tiny",
        less than 16 kB, with first-order steps. Both have no memories, and companions only where these are given.
    time_budget : how long a round may take in a batch, in seconds or as "50us": then the size that fits on this machine
        is chosen, in the place of n_features. ``overruns_`` tells how it was kept; see docs/budget.md.
    random_state : seed, generator, or None.

    Attributes
    ----------
    classes_ : the labels, sorted.
    kernels_ : the kernels to choose from.
    probabilities_ : the probability of each of them in the next round, or its weight where all of them play; 1 for the
        leader of "auto".
    learner_ : how hypotheses learn: "gradient", "adagrad", "newton", "diagonal" or "optimistic".
    n_rounds_ : rows learned from.
    loss_ : the mean loss of what was said before each label was used.
    support_size_ : number of stored examples (exact kernels).
    n_features_used_ : number of frequencies (random features).
    memory_bytes_ : what the model's arrays take.
    inputs_ : the inputs that each column became.
    history_ : what it thought of the kernels, and when.
    importances_ : how much each column moves the prediction.
    companions_ : the weights of kernels and companions in the prediction.
    coverage_ : how often 0.9 sets held the label since the last fit.
    n_features_in_, feature_names_in_ : as everywhere in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> from kernelpick import KernelClassifier
    >>> X = np.random.default_rng(0).normal(size=(500, 2)) * [1, 1000]
    >>> y = np.where(X[:, 0] ** 2 + (X[:, 1] / 1000) ** 2 < 1.4, "inside", "outside")
    >>> model = KernelClassifier(random_state=0).fit(X, y)
    >>> bool(model.score(X, y) > 0.9), model.predict([[0, 0], [3, 3000]])
    (True, array(['inside', 'outside'], dtype='<U7'))
    """

    loss: str

    def __init__(
        self,
        algorithm: str = "auto",
        *,
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
        companions: Any = "auto",
        orthogonal: bool | str | None = None,
        scale: str | bool | None = "standard",
        new_classes: str = "refuse",
        class_weight: Any = None,
        missing_label: str = "raise",
        passes: int | str = "auto",
        missing: str | None = None,
        size: str = "full",
        time_budget: float | str | None = None,
        precision: str = "double",
        random_state: Any = None,
    ) -> None:
        self._keep(locals())

    @learns
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from the rows, anew.

        Parameters
        ----------
        X : (T, d) array, frame or CSR matrix
        y : (T,) labels
        sample_weight : (T,) numbers from 0 to 1e12 that multiply loss and slope; a row of weight 0 is no round
        """
        rows = inputs.rows(self, X, fresh=True)
        there, missing = labels.given(inputs.vector(y, rows.shape[0]), self.missing_label)
        weights = inputs.weights(sample_weight, rows, missing, some=True)
        check_classification_targets(there)
        self._start(X, rows, np.unique(there))
        y = labels.for_all(there, missing, self.classes_[0])
        self._pass_over(rows, y, self._weighed(y, weights))
        return self

    @learns
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from the next rows of a stream, one round each.

        Parameters
        ----------
        X, y, sample_weight : as in ``fit``
        classes : all labels that may come; needed in the first call unless new classes are accepted. A later call may
            declare more.
        """
        self._learn(*self._checked(X, y, classes, sample_weight))
        return self

    @learns
    def progressive_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> np.ndarray:
        """Learn from the next rows of a stream; the labels (T,) predicted before each true one was used.

        The same as, row by row, ``predict`` with selection="drawn" and then ``partial_fit``. In a first call the
        classes are those of y where they are not declared.
        """
        said = self._learn(*self._checked(X, y, classes, sample_weight, progressive=True), progressive=True)
        assert said is not None
        return said

    @at_once
    def decision_function(self, X: Any, selection: str = "leader") -> np.ndarray:
        """Values: (T,) for two classes, positive for the second; else (T, classes). Parameters as in ``predict``."""
        values = self._values(X, selection)
        return values if values.shape[1] > 1 else values[:, 0]

    @available_if(_is_logistic)
    @at_once
    def predict_proba(self, X: Any, selection: str = "leader") -> np.ndarray:
        """Probabilities (T, classes), with the logistic loss. Parameters as in ``predict``.

        They are calibrated by what was said to each row before its label was used. Until there are kernels, they are
        those of the classes so far: (count + 1)/(rows + classes).
        """
        values = self._values(X, selection)
        return self._fitted.chances(len(self.classes_), values)

    @available_if(_is_logistic)
    @at_once
    def predict_set(self, X: Any, confidence: float = 0.9, selection: str = "leader") -> np.ndarray:
        """Which classes a row may be of, with that confidence: booleans (T, classes), columns as ``classes_``.

        The smallest sets that hold the label so often, by 1 - p of it; they may be empty, where no class is as
        probable as labels usually are.

        Examples
        --------
        >>> rng = np.random.default_rng(0)
        >>> y = rng.integers(3, size=3000)
        >>> X = y[:, None] + 0.5 * rng.normal(size=(3000, 2))
        >>> model = KernelClassifier(random_state=0).partial_fit(X[:2000], y[:2000], classes=[0, 1, 2])
        >>> sets = model.predict_set(X[2000:], confidence=0.95)
        >>> bool(sets[np.arange(1000), y[2000:]].mean() > 0.9), sets.shape
        (True, (1000, 3))
        """
        confidence, values = checked_confidence(confidence), self._values(X, selection)
        return self._fitted.members(len(self.classes_), values, confidence)

    @learns_at_once
    def ask(self, X: Any, classes: Any = None, id: int | str | None = None) -> Ticket:
        """The label predicted for one row, whose true one will be told later: a ticket for ``tell`` or ``drop``.

        It is made by a draw of its own, and counts as a round when its label is told. classes are needed where this
        is the first call of all. The ticket has a number, or an id of yours that no open ticket has.
        """
        given, fresh, id = inputs.as_row(X), not self.__sklearn_is_fitted__(), self._free(id)
        if fresh and classes is None:
            raise NotFittedError("Nothing is known of the classes yet: declare them, as in ask(x, classes=[...]).")
        row = inputs.one_row(inputs.rows(self, given, fresh))
        if fresh:
            self._start(given, row, labels.declared(classes))
        return self._ask(row, id)
