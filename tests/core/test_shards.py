"""States of shards are added up as the axes of their arrays say."""

import numpy as np
import pytest
from problems import stream

from kernelpick import core
from kernelpick.core.shards import added


def learned(algorithm: str, rows: slice) -> core.State:
    X, y, *_ = stream("square", 300, n_features=8)
    spec = core.Specification(algorithm, "square", X.shape[1], n_features=8)
    return core.advance(spec, core.start(spec), X[rows], y[rows, None])[0]


@pytest.mark.parametrize("algorithm", ["rf-oks++", "rf-ioks", "raker", "rf-oks-adagrad"])
def test_counts_add_up_and_hypotheses_are_averages_by_rounds(algorithm):
    first, second = learned(algorithm, slice(100)), learned(algorithm, slice(100, 300))
    both = added([first, second])
    assert both.rounds == 300
    assert np.array_equal(both.ledger, first.ledger + second.ledger)
    mean = (100 * first.space.weights + 200 * second.space.weights) / 300
    assert np.allclose(both.space.weights, mean, rtol=1e-13, atol=0)
    assert np.array_equal(both.space.frequencies, first.space.frequencies)
    for name in ("squares", "gradients"):
        if hasattr(both.learner, name):
            assert np.array_equal(
                getattr(both.learner, name), getattr(first.learner, name) + getattr(second.learner, name)
            )
    one = added([first])
    assert all(np.array_equal(a, b) for a, b in zip(one.space[1:], first.space[1:], strict=True))


def test_the_order_does_not_matter_but_for_rounding():
    states = [learned("rf-ioks", slice(100 * i, 100 * i + 100)) for i in range(3)]
    forth, back = added(states), added(states[::-1])
    assert np.allclose(forth.space.weights, back.space.weights, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize(
    ("pair", "sentence"),
    [
        (("oks++", "oks++"), "not added up entry by entry"),
        (("leader-newton", "leader-newton"), "not added up entry by entry"),
        (("rf-oks++", "rf-oks"), "different learners"),
    ],
)
def test_what_does_not_add_up_is_refused(pair, sentence):
    with pytest.raises(ValueError, match=sentence):
        added([learned(pair[0], slice(100)), learned(pair[1], slice(100, 300))])


def test_shards_of_other_frequencies_are_refused():
    first, second = learned("rf-oks++", slice(100)), learned("rf-oks++", slice(100, 300))
    second.space.frequencies[0, 0, 0] += 1.0
    with pytest.raises(ValueError, match="did not start from the same model"):
        added([first, second])
