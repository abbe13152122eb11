"""How fast a hypothesis changes with the inputs, in closed form where its space has one."""

import numpy as np

from kernelpick.core.state import State


def has_gradients(state: State) -> bool:
    """Whether hypotheses are weights of features, whose slopes are known."""
    return hasattr(state.space, "gradient") and (state.learner.plain or hasattr(state.learner, "hypothesis"))


def gradients(state: State, arm: int, output: int, X: np.ndarray) -> np.ndarray:
    """(T, d) the gradient of one output of an arm in the rows of X, which are scaled as those it learns from."""
    space, learner = state.space, state.learner
    weights = space.weights[arm] if learner.plain else learner.hypothesis(space, arm, state.seat(arm))
    return space.gradient(arm, weights[output], X)  # type: ignore[no-any-return]
