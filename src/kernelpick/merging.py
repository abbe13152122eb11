"""kernelpick.merge: one model from several that have learned different rows."""

import copy
from collections.abc import Iterable
from contextlib import ExitStack
from typing import Any

from kernelpick.estimator import Estimator
from kernelpick.online import merging


def merge(models: Iterable[Any]) -> Any:
    """One model that knows what several know which have learned different rows of a stream, each from the same start.

    Shards begin as ``model.blank()``, copies of one model that has found scales and kernels. The models are left as
    they are, and the merged one goes on learning like any other.

    What is merged how: second-order hypotheses ("auto", newton) by the sums of what they know, which for the square
    loss is what a single model would have learned from all rows, and an approximation for the others; gradient and
    adagrad learners by averages over rounds; stored examples are united; scores of kernels are weighted by their
    evidence; counts, losses and statistics add up; calibrations, intervals and scales of probabilities are averages by
    what is behind them. The history begins afresh with one entry, "merge". Open tickets are taken over.

    Beside the kernels of "auto", memories begin afresh, for the kernel that leads then; it speaks alone at first, and
    some hundred rows later they have their say again. The trees of all say the mean of what they say, by rows, and
    then learn the rows again that shards have kept. So for the square loss what the kernels know is always that of a
    single model, and what is predicted is with ``forgetting=1.0`` and ``companions=()``.

    Parameters
    ----------
    models : estimators of one kind. Those that do not fit together are refused in a sentence that names the first
        difference.

    Examples
    --------
    >>> import kernelpick, numpy as np
    >>> X = np.random.default_rng(0).normal(size=(3000, 3))
    >>> y = np.sin(2 * X[:, 0]) + X[:, 1]
    >>> start = kernelpick.KernelRegressor(random_state=0).partial_fit(X[:600], y[:600]).blank()
    >>> shards = [start.blank().partial_fit(X[i::4], y[i::4]) for i in range(4)]
    >>> whole = kernelpick.merge(shards)
    >>> whole.n_rounds_, bool(whole.score(X, y) > max(shard.score(X, y) for shard in shards))
    (3000, True)
    """
    every = list(models)
    if not every:
        raise ValueError("There is nothing to merge: give at least one model.")
    for i, model in enumerate(every):
        _check(i, model, every[0])
    with ExitStack() as stack:
        for guard in sorted({id(model): model._guard for model in every}.items()):  # whoever merges: in one order
            stack.enter_context(guard[1])
        return _merged(every)


def _check(i: int, model: Any, first: Any) -> None:
    if not isinstance(model, Estimator):
        raise TypeError(f"models[{i}] is no estimator of kernelpick: {type(model).__name__}.")
    if type(model) is not type(first):
        raise ValueError(
            f"models[{i}] is a {type(model).__module__}.{type(model).__name__} and models[0] a "
            f"{type(first).__module__}.{type(first).__name__}: they can't be merged."
        )
    if model._model is None:
        raise ValueError(f"models[{i}] has seen no row, so it can't be merged: shards begin as blanks of one model.")


def _merged(every: list[Any]) -> Any:
    first = every[0]
    for i, model in enumerate(every[1:], start=1):
        for what, ours, theirs in zip(("classes", "inputs"), _shown(first), _shown(model), strict=True):
            if ours != theirs:
                told = _apart(ours, theirs)
                raise ValueError(
                    f"models[{i}] and models[0] have different {what}, {told}, so they can't be merged: let one model "
                    "see all of them, and begin the shards as its blanks."
                )
    if len(every) == 1:
        return copy.deepcopy(first)
    columns = [model._columns for model in every]
    return first._with(merging.merged([model._model for model in every]), columns[0] and columns[0].merged(columns[1:]))


def _shown(model: Any) -> tuple[list[Any], list[Any]]:
    """Classes in the order of outputs, and inputs in the order of their places."""
    classes: Any = getattr(model, "_classes", getattr(model, "classes_", ()))
    return list(classes), list(getattr(model._model, "expected", ()))


def _apart(ours: list[Any], theirs: list[Any]) -> str:
    differ = [one for one in [*ours, *theirs] if (one in ours) != (one in theirs)]
    return f"as {str(differ[0])!r}" if differ else "or others in their places"
