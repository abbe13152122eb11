"""kernelpick.trace."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from kernelpick.core import messages
from kernelpick.core.kernels import Kernel
from kernelpick.core.kernels.gaussian import Gaussian
from kernelpick.core.specification import DEFAULT_WIDTHS, Specification, algorithm_of
from kernelpick.core.stream import start
from kernelpick.tracing.budgeted import sizes_for
from kernelpick.tracing.runs import Trace, in_a_batch, row_by_row, warn_of_large_losses, with_fits


def trace(
    algorithm: Any,
    X: Any,
    y: Any,
    *,
    loss: Any,
    widths: Sequence[float] | None = None,
    kernels: Sequence[Kernel] | None = None,
    n_features: int | None = None,
    time_budget: float | str | None = None,
    budget: int = 200,
    radius: float | None = None,
    step_scale: float | None = None,
    settings: str = "paper",
    horizon: int | None = None,
    hypotheses: float = 1.3,
    forgetting: float | str = "auto",
    orthogonal: bool | str | None = None,
    precision: str = "double",
    random_state: int = 0,
    uniforms: Any = None,
    frequencies: Any = None,
    every_round: bool = False,
) -> Trace:
    """Run an algorithm over the rows of X and return what happened in every round.

    The rows are used as they are. Only "auto" scales inputs and targets by itself and finds widths of its own, as it
    does in the estimators; its predictions and losses are in units of y, and its arms are -1 as long as it has none.

    Parameters
    ----------
    algorithm : the paper's "oks", "oks++", "ioks", "rf-oks", "rf-oks++", "rf-ioks", "raker" and "lkmbooks"; "auto";
        "leader"; "bao2ks" and "rf-bao2ks", with the hinge loss; a selector with another learner, such as
        "rf-oks++-newton" or "leader-adagrad"; a name that was registered; or a :class:`kernelpick.Algorithm`
    X, y : (T, d) inputs and (T,) targets; labels -1 or +1 for the classification losses
    loss : "logistic", "square", "absolute", "hinge", "squared_hinge", "huber", or a loss of your own (docs/extend.md)
    widths : widths of Gaussian kernels; by default the paper's, 2**-2 .. 2**3 ("auto": around the data's own scale)
    kernels : kernels instead of widths, any mix of families
    n_features : number D of frequencies of random features; each gives a cosine and a sine. By default 400 ("auto": as
        many as the time of a round allows)
    time_budget : how long a round may take, in seconds or as "50us": then n_features, or the budget of lkmbooks, is
        what fits on this machine, and for "auto" and "leader" so is the number of hypotheses
    budget : number B of examples that lkmbooks may store
    radius : radius U of the ball of hypotheses; by default 15 for the logistic loss and 1 for all others (bao2ks: 20)
    step_scale : factor s of the step size of oks, rf-oks (default 25 for logistic and square, else 5), of raker and of
        adagrad (5); the ridge of newton is 1/s (5)
    settings : "paper", what the theorems speak of, or "published", what produced the paper's tables
    horizon : T of the formulas; by default the number of rows ("auto" and "leader" have none)
    hypotheses : number N of hypotheses that "auto" and "leader" evaluate a round, on average; 1 is a pure bandit
    forgetting : newton: what a round leaves of the weight of all rounds before it, 1 for no forgetting; "auto" is that,
        and lets the algorithm "auto" choose on the fly
    orthogonal : whether frequencies are orthogonal in groups, by default for "auto" and "leader" only; "structured" for
        those of "rf-..." algorithms: the same accuracy, and faster the more inputs there are beyond 64
    precision : "double", or "single" for random features; docs/speed.md has what that brings
    random_state : seed for what is not given below
    uniforms : (T,) numbers in [0, 1) that decide the arms (for lkmbooks, what is stored); (T, n) where an algorithm
        takes n of them a round: 4 for bao2ks, for who predicts, who learns, and two for its reservoir
    frequencies : (D, d) standard normal draws, shared by all widths; D is then their number
    every_round : whether to keep p of all arms, and who played, for each round (``every_p``, ``playing``); slower, and
        not for "auto", which starts anew while it runs

    The step scale is used as given, even where losses explode: then there is a warning. From a round whose loss
    overflows on, predictions and losses are NaN and arms -1.

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
    row = algorithm_of(algorithm)
    fits = bool(row.fits)
    if kernels is None:
        kernels = [
            Gaussian(messages.positive("A width", width)) for width in (DEFAULT_WIDTHS if widths is None else widths)
        ]
    size = ""
    if time_budget is not None:
        if frequencies is not None:
            raise ValueError("frequencies and time_budget both decide the size of a model: give one of them, not both.")
        given = {"algorithm": algorithm, "loss": loss, "kernels": "auto" if own_widths and fits else kernels,
                 "n_features": n_features, "time_budget": time_budget, "budget": budget, "hypotheses": hypotheses,
                 "forgetting": forgetting, "settings": settings, "precision": precision,
                 "orthogonal": orthogonal}  # fmt: skip
        told = sizes_for(given, X.shape[1])
        size = told["text"]
        algorithm, n_features, budget = told["algorithm"], told["n_features"], told["budget"]
        hypotheses, forgetting, orthogonal = told["hypotheses"], told["forgetting"], told["orthogonal"]
        row = algorithm_of(algorithm)
    if frequencies is not None:
        frequencies = messages.draws("frequencies", frequencies, (None, X.shape[1]))
        n_features = len(frequencies)
    spec = Specification(
        algorithm=algorithm,
        loss=loss,
        n_inputs=X.shape[1],
        kernels=tuple(kernels),
        n_features=row.features_for(X.shape[1]) if n_features is None else n_features,
        budget=budget,
        radius=radius,
        step_scale=step_scale,
        settings=settings,
        horizon=len(X) if horizon is None and not fits else horizon,
        hypotheses=hypotheses,
        forgetting=1.0 if forgetting == "auto" else forgetting,  # type: ignore[arg-type]  # which it checks
        random_state=random_state,
        orthogonal=orthogonal,
        precision=precision,
    )
    y = messages.targets(y, len(X), spec.loss_row.classifies, spec.loss_row.name)
    each = row.numbers
    if uniforms is not None:
        uniforms = messages.draws("uniforms", uniforms, (len(X),) if each == 1 else (len(X), each)).reshape(-1, each)
        if not ((uniforms >= 0) & (uniforms < 1)).all():
            raise ValueError("uniforms must be numbers from 0 up to, but not including, 1.")
    if fits:
        if frequencies is not None or every_round:
            what = "starts anew while it runs: leave every_round out"
            if frequencies is not None:
                what = "draws frequencies of its own: leave frequencies out"
            raise ValueError(f"{spec.name} {what}, or take leader-newton.")
        run = with_fits(spec, (own_widths, forgetting == "auto"), X, y, uniforms)
    else:
        run = (row_by_row if every_round else in_a_batch)(spec, start(spec, frequencies), X, y[:, None], uniforms)
    warn_of_large_losses(spec, run, y)
    return replace(run, size=size) if size else run
