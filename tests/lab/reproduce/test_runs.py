"""One run is a pure function of its description."""

import math

import numpy as np
import pytest

import kernelpick
from kernelpick.lab.reproduce.cells import chosen
from kernelpick.lab.reproduce.runs import Run, run_over
from kernelpick.lab.running.curves import checkpoints

RNG = np.random.default_rng(5)
X, Y = RNG.uniform(-1, 1, (300, 3)), RNG.uniform(0, 1, 300)


@pytest.mark.parametrize("algorithm", ["rf-oks++", "lkmbooks"])
def test_a_run_is_the_trace_of_the_same_parameters(algorithm, cell):
    run = Run(cell(algorithm, size=30), "published", 3, None)
    result = run_over(run, X, Y)
    size = {"budget" if algorithm == "lkmbooks" else "n_features": run.cell.size}
    trace = kernelpick.trace(algorithm, X, Y, loss="square", settings="published", random_state=3, **size)
    assert result.value == pytest.approx(trace.losses.mean(), rel=1e-12) == result.losses[-1]
    assert result.probabilities[-1] == trace.weights.tolist()
    assert result[2:] == run_over(run, X, Y)[2:] and result.value != run_over(run._replace(permutation=4), X, Y).value


def test_mistakes_are_counted_for_classification():
    run = Run(chosen("8", "magic04", "rf-oks++")[0], "published", 0, None)
    labels = np.where(Y > 0.5, 1.0, -1.0)
    trace = kernelpick.trace("rf-oks++", X, labels, loss="logistic", settings="published", random_state=0)
    assert run_over(run, X, labels).value == np.mean(np.where(trace.predictions >= 0, 1, -1) != labels)


def test_a_run_that_diverges_is_infinitely_bad(cell):
    result = run_over(Run(cell("rf-oks"), "published", 0, 1e6), X, Y)
    assert math.isinf(result.value) and len(result.losses) < len(checkpoints(len(X)))
