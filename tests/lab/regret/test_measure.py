"""What is measured, against sums by hand; and the inequality of Theorem 1 on every stream."""

from types import SimpleNamespace

import numpy as np
import pytest

import kernelpick
from kernelpick.core.losses import LOSSES
from kernelpick.lab.regret.book import Book
from kernelpick.lab.regret.command import do_missing
from kernelpick.lab.regret.entrants import chosen
from kernelpick.lab.regret.measure import inequality, line, slope
from kernelpick.lab.regret.plan import planned
from kernelpick.lab.regret.streams import MADE_UP, Stream
from kernelpick.lab.running.workers import Workers


def measured(stream, folder, algorithms="oks", horizons="500", repeats=4):
    lists = {"horizons": horizons, "kernels": "", "features": ""}
    plan = planned(Stream(stream), "square", chosen(algorithms, LOSSES["square"]), repeats, lists)
    plan = plan._replace(entrants=plan.entrants[:1])
    book = Book(folder)
    do_missing([*plan.rivals(), *plan.plays()], book, Workers(1))
    return plan, book


@pytest.mark.parametrize("stream", MADE_UP)
def test_the_inequality_of_theorem_1(stream, tmp_path):
    plan, book = measured(stream, tmp_path)
    both = inequality(plan.horizons[0], plan, book)
    assert both.left <= both.right
    assert both.left == pytest.approx(np.mean([_weighted(plan, seed) for seed in range(4)]))


def test_it_can_fail(tmp_path):
    """An algorithm that predicts 0 loses more on this stream than OKS may."""
    plan, book = measured("constant", tmp_path, repeats=1)
    both = inequality(plan.horizons[0], plan, book)
    assert both.zero == 500 and both.zero > both.zero_right


def _weighted(plan, seed):
    """The left side from every p, round by round."""
    case = plan.horizons[0]
    X, y = case.stream.rows(case.horizon)
    run = kernelpick.trace(
        "oks", X, y, loss="square", kernels=case.stream.kernels(6), step_scale=1.0, random_state=seed, every_round=True
    )
    delta = (6 / case.horizon) ** (1 / 3)
    q = (run.every_p - delta / 6) / (1 - delta)
    drawn = np.arange(case.horizon), run.arms
    return (q[drawn] / run.every_p[drawn] * run.losses).sum()


def test_regret_is_what_it_is_called(tmp_path):
    plan, book = measured("noise", tmp_path, "rf-oks++", "100,200", repeats=2)
    case, entrant = plan.horizons[1], plan.entrants[0]
    X, y = case.stream.rows(200)
    kernels = case.stream.kernels(6)
    best = min(kernelpick.best_in_hindsight(X, y, kernel, loss="square").loss for kernel in kernels)
    frequencies = kernelpick.draw_frequencies(100, 2)
    totals = [
        kernelpick.trace(
            "rf-oks++", X, y, loss="square", kernels=kernels, frequencies=frequencies, random_state=seed
        ).losses.sum()
        for seed in range(2)
    ]
    found = line(case, entrant, plan, book)
    assert found.regrets == pytest.approx(np.array(totals) - best, abs=1e-3)
    assert found.boxed is not None and found.best == pytest.approx(best, rel=1e-4)
    assert found.error == pytest.approx(np.std(totals, ddof=1) / np.sqrt(2), rel=1e-6)


def test_a_power_is_found_with_its_interval():
    generator = np.random.default_rng(0)
    lines = [
        SimpleNamespace(case=SimpleNamespace(horizon=T), regrets=3 * T**0.6 * generator.normal(1, 0.1, 20))
        for T in (500, 1000, 2000, 4000)
    ]
    found = slope(lines)
    assert found.low < 0.6 < found.high and found.high - found.low < 0.2
    lines[0].regrets = -lines[0].regrets
    assert np.isnan(slope(lines).value)
