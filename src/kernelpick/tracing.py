"""The research interface: run an algorithm over given rows, and see what happened in every round."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernelpick import messages
from kernelpick.algorithms import ALGORITHMS, default_features
from kernelpick.core import advance_in_place, start
from kernelpick.kernels import Gaussian, Kernel
from kernelpick.losses import values
from kernelpick.online.model import Model
from kernelpick.online.plan import Plan, specified
from kernelpick.specification import DEFAULT_WIDTHS, Specification


@dataclass(frozen=True)
class Trace:
    """What happened, round by round."""

    arms: np.ndarray  # (T,) the arm that was drawn; -1 where all arms play
    probabilities: np.ndarray  # (T,) of the drawn arm; NaN where all play
    predictions: np.ndarray  # (T,) f_t
    losses: np.ndarray  # (T,)
    weights: np.ndarray  # (K,) p after the last round

    def __repr__(self) -> str:
        return f"Trace({len(self.arms)} rounds, mean loss {self.losses.mean():.4g}, {len(self.weights)} kernels)"


def trace(
    algorithm: str,
    X: Any,
    y: Any,
    *,
    loss: str,
    widths: Sequence[float] | None = None,
    kernels: Sequence[Kernel] | None = None,
    n_features: int | None = None,
    budget: int = 200,
    radius: float | None = None,
    step_scale: float | None = None,
    settings: str = "paper",
    horizon: int | None = None,
    hypotheses: float = 1.3,
    forgetting: float = 1.0,
    random_state: int = 0,
    uniforms: Any = None,
    frequencies: Any = None,
) -> Trace:
    """Run an algorithm over the rows of X and return what happened in every round.

    The rows are used as they are. Only "auto" scales inputs and targets by itself and finds widths of its own, as it
    does in the estimators; its predictions and losses are in units of y, and its arms are -1 as long as it has none.

    Parameters
    ----------
    algorithm : the paper's "oks", "oks++", "ioks", "rf-oks", "rf-oks++", "rf-ioks", "raker" and "lkmbooks"; "auto";
        "leader"; or a selector with another learner, such as "rf-oks++-newton" or "leader-adagrad"
    X, y : (T, d) inputs and (T,) targets; labels -1 or +1 for the classification losses
    loss : "logistic", "square", "absolute", "hinge", "squared_hinge" or "huber"
    widths : widths of Gaussian kernels; by default the paper's, 2**-2 .. 2**3 ("auto": around the data's own scale)
    kernels : kernels instead of widths, any mix of families
    n_features : number D of frequencies of random features; each gives a cosine and a sine. By default 400 ("auto": as
        many as the time of a round allows)
    budget : number B of examples that lkmbooks may store
    radius : radius U of the ball of hypotheses; by default 15 for the logistic loss and 1 for all others
    step_scale : factor s of the step size of oks, rf-oks (default 25 for logistic and square, else 5), of raker and of
        adagrad (5); the ridge of newton is 1/s (5)
    settings : "paper", what the theorems speak of, or "published", what produced the paper's tables
    horizon : T of the formulas; by default the number of rows ("auto" and "leader" have none)
    hypotheses : number N of hypotheses that "auto" and "leader" evaluate a round, on average; 1 is a pure bandit
    forgetting : newton: what a round leaves of the weight of all rounds before it, 1 for no forgetting
    random_state : seed for what is not given below
    uniforms : (T,) numbers in [0, 1) that decide the arms (for lkmbooks, what is stored)
    frequencies : (D, d) standard normal draws, shared by all widths; D is then their number

    The step scale is used as given, even where the run diverges: then there is a warning, and from the round of the
    overflow on predictions and losses are NaN and arms -1.

    Examples
    --------
    >>> import numpy as np, kernelpick
    >>> X = np.linspace(-3, 3, 500).reshape(-1, 1)[np.random.default_rng(0).permutation(500)]
    >>> run = kernelpick.trace("oks++", X, 0.5 + 0.5 * np.sin(4 * X[:, 0]), loss="square")
    >>> run
    Trace(500 rounds, mean loss 0.142, 6 kernels)
    >>> float(2.0 ** (run.weights.argmax() - 2))  # the width in the lead
    0.5
    """
    X = messages.rows(X)
    if widths is not None and kernels is not None:
        raise ValueError("Give widths of Gaussian kernels or a list of kernels, not both.")
    own_widths = kernels is None and widths is None
    fits = bool(ALGORITHMS[messages.choice("algorithm", algorithm, ALGORITHMS)].fits)
    if kernels is None:
        kernels = [
            Gaussian(messages.positive("A width", width)) for width in (DEFAULT_WIDTHS if widths is None else widths)
        ]
    if frequencies is not None:
        frequencies = messages.draws("frequencies", frequencies, (None, X.shape[1]))
        n_features = len(frequencies)
    spec = specified(
        {
            "algorithm": algorithm,
            "loss": loss,
            "n_inputs": X.shape[1],
            "kernels": tuple(kernels),
            "n_features": default_features(algorithm, X.shape[1]) if n_features is None else n_features,
            "budget": budget,
            "radius": radius,
            "step_scale": step_scale,
            "settings": settings,
            "horizon": len(X) if horizon is None and not fits else horizon,
            "hypotheses": hypotheses,
            "forgetting": forgetting,
            "random_state": random_state,
        }
    )
    y = messages.targets(y, len(X), spec.loss_row.classifies, loss)
    if uniforms is not None:
        uniforms = messages.draws("uniforms", uniforms, (len(X),))
        if not ((uniforms >= 0) & (uniforms < 1)).all():
            raise ValueError("uniforms must be numbers from 0 up to, but not including, 1.")
    if fits:
        if frequencies is not None:
            raise ValueError(f"{algorithm} draws frequencies of its own: leave them out, or take leader-newton.")
        return _with_fits(spec, own_widths, X, y, uniforms)
    state, outcome = advance_in_place(spec, start(spec, frequencies), X, y[:, None], uniforms)
    if outcome.diverged is not None:
        _warn(algorithm, outcome.diverged)
    return Trace(
        outcome.arms, outcome.probabilities, outcome.predictions[:, 0], outcome.losses, state.probabilities.copy()
    )


def _with_fits(
    spec: Specification, own_widths: bool, X: np.ndarray, y: np.ndarray, uniforms: np.ndarray | None
) -> Trace:
    """An algorithm that finds scales and widths by itself."""
    regression = not spec.loss_row.classifies
    model = Model(Plan(spec, own_widths, "standard", regression))
    said = model.learn(X, y[:, None], numbers=uniforms)
    predictions = said.in_units()[:, 0]
    arms = np.full(len(X), -1) if said.arms is None else said.arms
    if said.diverged is not None:
        predictions[said.diverged :], arms[said.diverged :] = np.nan, -1
        _warn(spec.algorithm, said.diverged)
    chosen = model.probabilities if model.state else np.full(len(spec.kernels), 1 / len(spec.kernels))
    losses = values(spec.loss_row.code, predictions, y)
    return Trace(arms, np.where(arms < 0, np.nan, 1.0), predictions, losses, chosen)


def _warn(algorithm: str, at: int) -> None:
    warnings.warn(
        f"{algorithm} diverged: the loss overflowed in round {at}; a smaller step_scale prevents it.",
        RuntimeWarning,
        stacklevel=3,
    )
