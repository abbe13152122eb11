"""The theorems' formulas, written a second time for one setting by hand."""

from math import exp, log, sqrt

import pytest

from kernelpick.core.losses import OURS
from kernelpick.core.specification import Specification
from kernelpick.core.stream import start
from kernelpick.lab.regret import theory


def test_the_rates_are_those_that_oks_runs_with():
    spec = Specification("oks", "square", n_inputs=2, step_scale=1.0, horizon=900)
    state = start(spec)
    delta, eta, step = theory.rates_of_oks(6, 900)
    assert (state.selector.delta, state.selector.eta) == pytest.approx((delta, eta))
    assert state.learner.step == pytest.approx(step)


def test_theorem_1_term_by_term():
    T, K, G, largest, norm, best = 1000, 8, 2.0, 1.5, 0.8, 33.0
    delta = (K / T) ** (1 / 3)
    assert delta == pytest.approx(0.2)
    eta, step = sqrt(2 * 0.8 * log(8) / 8000), sqrt(0.2 / 8000)
    expected = 33 + 0.64 / (2 * step) + step * 8000 * 4 / 0.4 + eta * 8000 * 2.25 / 1.6 + log(8) / eta
    assert theory.theorem_1(best, norm, K, T, G, largest) == pytest.approx(expected)


def test_the_other_theorems():
    square, logistic = (
        theory.Conditions(OURS[name], 2.0, 400, 9.0, [9.0, 18.0], 50) for name in ("square", "logistic")
    )
    first = 2 ** (2 / 3) * 4 ** (1 / 3) * (2 ** (-1 / 3) * 27 ** (2 / 3) + 2 ** (1 / 6) * 27 ** (1 / 6) * 3)
    assert theory.theorem_2(square) == pytest.approx(first)
    logs = log(800 / 0.05)
    assert theory.theorem_4(square) == pytest.approx(
        first + 2 * sqrt(4 * 400 * 9 * logs / 50) + 4 * 4 * 400 / 50 * logs
    )
    assert theory.theorem_4(logistic) == pytest.approx(first / 4 ** (1 / 3) + 2 * 9 * sqrt(logs / 50))
    G1, largest = 6.0, 9.0
    smaller = 2 * G1 * sqrt(800) * log(400) ** (2 / 3)
    assert theory.theorem_3(square) == pytest.approx(smaller + largest**3 * 2**2.75 / (4 * G1**2 * log(400)))
    rest = largest**3 * 2**2.75 / (4 * G1**2 * sqrt(log(400)))
    assert theory.theorem_5(square) == pytest.approx(smaller + rest + G1 * 2 * 400 * sqrt(logs / 50))
    third = 2 * sqrt(800) * log(400) ** (2 / 3) + log(1 + exp(2)) ** 3 * 2**2.75 / (4 * log(400))
    assert theory.theorem_3(logistic) == pytest.approx(third)
    assert theory.remark_1(square) == pytest.approx(5 * 2 ** (1 / 3) * 400 ** (2 / 3))
