"""KernelRegressor."""

from typing import Any, Self

import numpy as np
from sklearn.base import RegressorMixin

from kernelpick.files.container import register
from kernelpick.online.guard import at_once, learns, learns_at_once
from kernelpick.online.tickets import Ticket
from kernelpick.sklearn import inputs
from kernelpick.sklearn.base import KernelEstimator


@register("sklearn.KernelRegressor")
class KernelRegressor(RegressorMixin, KernelEstimator):
    """Online kernel regression that picks its own kernel while the rows stream by.

    Works on raw data: inputs and targets are scaled on the fly. The default, "auto", has nothing to tune: second-order
    learners beside a linear model, with scales and widths found from the first 8, 64 and 512 rows. With the other
    algorithms a row is scaled by statistics of the rows before it, frozen after 1000 rows, and the first 32 rows are
    held back to choose the kernels. Until there are kernels, the mean of the targets so far is predicted. ``fit`` ends
    the holding back, so that it also works with fewer rows.

    A row whose loss is not finite, as that of a target of 1e200, teaches nothing: it is passed over, with a warning.

    Parameters
    ----------
    algorithm : "auto"; the paper's "rf-oks++", "rf-oks", "rf-ioks", "raker" (random features), "oks++", "oks", "ioks",
        "lkmbooks" (exact kernels); "leader"; or a selector with another learner, such as "rf-oks++-newton". The docs
        help to choose.
    loss : "square", "huber" (robust: straight beyond half a standard deviation of the target), or "absolute", which is
        not smooth: "auto", the OKS++ pair and newton refuse it.
    kernels : "auto", for widths around the data's own scale, or a list of kernels, or of widths of Gaussian kernels.
    n_features : number of frequencies of random features; each gives a cosine and a sine. By default 400; for "auto" as
        many as the time of a round allows, 64 to 256.
    budget : number of examples that "lkmbooks" may store.
    radius : bound on the norm of a hypothesis, in units of the scaled target; by default 10. Algorithms that project
        (OKS++ and IOKS) keep to it.
    step_scale : factor of the step size of "oks", "rf-oks" (default 25 for the square loss, else 5), "raker" and
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
    scale_target : whether targets are brought to mean 0 and standard deviation 1. Where the first ones are positive and
        skewed, it is tried whether their logarithms are learned better, as ``target_scale_`` tells; "linear" or "log"
        decides that. Predictions are in units of y, and not negative as long as no target was; with False they are left
        alone.
    missing_label : "raise", a missing target (None, NaN, NA) is refused, or "skip", its row is predicted and not
        learned from, as one of weight 0.
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
    kernels_ : the kernels to choose from.
    probabilities_ : the probability of each of them in the next round, or its weight where all of them play; 1 for the
        leader of "auto".
    learner_ : how hypotheses learn: "gradient", "adagrad", "newton" or "diagonal".
    n_rounds_ : rows learned from.
    loss_ : the mean loss of what was said before each target was used; of several targets, the mean of theirs.
    support_size_ : number of stored examples (exact kernels).
    n_features_used_ : number of frequencies (random features).
    memory_bytes_ : what the model's arrays take.
    inputs_ : the inputs that each column became.
    history_ : what it thought of the kernels, and when.
    importances_ : how much each column moves the prediction.
    companions_ : the weights of kernels and companions in the prediction.
    coverage_, interval_width_ : how often 0.9 intervals held the target so far, and their mean width.
    n_features_in_, feature_names_in_ : as everywhere in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> from kernelpick import KernelRegressor
    >>> X = np.random.default_rng(0).uniform(-3, 3, size=(500, 1))
    >>> y = 100 + 20 * np.sin(2 * X[:, 0])
    >>> model = KernelRegressor(random_state=0).fit(X, y)
    >>> bool(model.score(X, y) > 0.9)
    True

    As a stream, each prediction made before its target is used:

    >>> stream = KernelRegressor(random_state=0)
    >>> said = stream.progressive_fit(X, y)
    >>> said[:2], stream.n_rounds_
    (array([  0.        , ...]), 500)
    """

    _classifies = False

    def __init__(
        self,
        algorithm: str = "auto",
        *,
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
        companions: Any = "auto",
        orthogonal: bool | str | None = None,
        scale: str | bool | None = "standard",
        scale_target: bool | str = True,
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
        y : (T,) targets, or (T, M) of several at a time, which share kernels and matrices
        sample_weight : (T,) numbers from 0 to 1e12 that multiply loss and slope; a row of weight 0 is no round
        """
        X, y, weights = self._checked(X, y, sample_weight, fresh=True)
        self._pass_over(X, y, weights)
        return self

    @learns
    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from the next rows of a stream, one round each; parameters as in ``fit``."""
        self._learn(*self._checked(X, y, sample_weight))
        return self

    @learns
    def progressive_fit(self, X: Any, y: Any, sample_weight: Any = None) -> np.ndarray:
        """Learn from the next rows of a stream; the predictions, as of ``predict``, made before each target was used.

        The same as, row by row, ``predict`` with selection="drawn" and then ``partial_fit``.
        """
        said = self._learn(*self._checked(X, y, sample_weight), progressive=True)
        assert said is not None
        return said

    @at_once
    def predict_interval(self, X: Any, confidence: float = 0.9, selection: str = "leader") -> np.ndarray:
        """Where targets lie with that confidence: lower and upper ends (T, 2), or (T, M, 2) of several targets.

        They are learned from what was said to each row before its target was used, keep their coverage when the stream
        changes, and are narrow where the noise is small; without ends as long as nothing is known. Where a kernel is
        drawn for each row, as by the paper's algorithms, they are those of what is drawn: wide for the one in the lead.

        Examples
        --------
        >>> rng = np.random.default_rng(0)
        >>> X = rng.uniform(-1, 1, (2000, 2))
        >>> y = X[:, 1] + np.where(X[:, 0] < 0, 0.1, 0.5) * rng.normal(size=2000)
        >>> model = KernelRegressor(random_state=0).partial_fit(X, y)
        >>> lower, upper = model.predict_interval([[-0.5, 0.0], [0.5, 0.0]]).T
        >>> bool(upper[0] - lower[0] < 0.7 * (upper[1] - lower[1]))
        True
        """
        ends = self._interval(X, confidence, selection)
        return ends if self._fitted.spec.n_outputs > 1 else ends[:, 0]

    @learns_at_once
    def ask(self, X: Any, id: int | str | None = None) -> Ticket:
        """The prediction for one row whose target will be told later: a ticket for ``tell`` or ``drop``.

        It is made by a draw of its own, and counts as a round when its target is told. The ticket has a number, or an
        id of yours that no open ticket has.

        >>> import numpy as np
        >>> from kernelpick import KernelRegressor
        >>> model = KernelRegressor(random_state=0).partial_fit(np.eye(3), [1.0, 2.0, 3.0])
        >>> first, second = model.ask([0.0, 1.0, 0.0]), model.ask([1.0, 0.0, 0.0])
        >>> first
        Ticket(id=0, prediction=2.0)
        >>> model.tell(second, 1.5).tell(first, 2.5).n_rounds_
        5
        """
        given, fresh, id = inputs.as_row(X), not self.__sklearn_is_fitted__(), self._free(id)
        row = inputs.one_row(inputs.rows(self, given, fresh))
        if fresh:
            self._begin(given, row, 1)
        return self._ask(row, id)

    def _checked(
        self, given: Any, y: Any, sample_weight: Any, fresh: bool = False
    ) -> tuple[Any, np.ndarray, np.ndarray]:
        """Rows, targets and weights; nothing of the model has changed when they are refused."""
        some, fresh = fresh, fresh or not self.__sklearn_is_fitted__()
        X = inputs.rows(self, given, fresh)
        y, missing = inputs.numbers(y, X.shape[0], self.missing_label)
        weights = inputs.weights(sample_weight, X, missing, some)
        n_targets = 1 if y.ndim == 1 else y.shape[1]
        if fresh:
            self._begin(given, X, n_targets)
        elif n_targets != self._fitted.spec.n_outputs:
            raise ValueError(f"y has {n_targets} columns where this model has {self._fitted.spec.n_outputs} targets.")
        return X, y, weights

    def _targets(self, y: np.ndarray) -> np.ndarray:
        return y if y.ndim == 2 else y[:, None]

    def _answers(self, values: np.ndarray) -> np.ndarray:
        return values if values.shape[1] > 1 else values[:, 0]

    def _told(self, y: Any) -> np.ndarray | None:
        target, missing = inputs.numbers(inputs.single(y, self._fitted.spec.n_outputs), 1, self.missing_label)
        return None if missing.any() else self._targets(target)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags
