"""What is measured, against sums by hand; and the inequality of Theorem 1 on every stream."""

from types import SimpleNamespace

import numpy as np
import pytest

import kernelpick
from kernelpick.core.losses import LOSSES
from kernelpick.lab.regret.book import RegretBook
from kernelpick.lab.regret.command import do_missing
from kernelpick.lab.regret.entrants import chosen
from kernelpick.lab.regret.measure import finding, inequality, slope
from kernelpick.lab.regret.plan import Premises, planned
from kernelpick.lab.regret.streams import MADE_UP, NamedStream
from kernelpick.lab.running.workers import Workers


def measured(stream, folder, algorithms="oks", horizons="500", repeats=4, radius=None):
    lists = {"horizons": horizons, "kernels": "", "features": ""}
    loss = NamedStream(stream).usual_loss
    plan = planned(Premises(NamedStream(stream), loss, radius), chosen(algorithms, LOSSES[loss]), repeats, lists)
    plan = plan._replace(entrants=plan.entrants[:1])
    book = RegretBook(folder)
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
        "oks", X, y, loss=case.loss, kernels=case.stream.kernels(6), step_scale=1.0, random_state=seed, every_round=True
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
    found = finding(case, entrant, plan, book)
    assert found.regrets == pytest.approx(np.array(totals) - best, abs=1e-3)
    assert found.boxed is not None and found.best == pytest.approx(best, rel=1e-4)
    assert found.wrong == pytest.approx(np.mean(totals) / 200)
    assert found.error == pytest.approx(np.std(totals, ddof=1) / np.sqrt(2), rel=1e-6)


@pytest.mark.parametrize(("radius", "used"), [(None, 20.0), (3.0, 3.0)])
def test_two_hypotheses_are_compared_with_their_own_ball(tmp_path, radius, used):
    plan, book = measured("labels", tmp_path, "rf-bao2ks", "150", repeats=1, radius=radius)
    case, entrant = plan.horizons[0], plan.entrants[0]
    X, y = case.stream.rows(150)
    kernels = case.stream.kernels(6)
    best = min(kernelpick.best_in_hindsight(X, y, kernel, loss="hinge", radius=used).loss for kernel in kernels)
    problem = {"loss": "hinge", "kernels": kernels, "radius": used, "frequencies": kernelpick.draw_frequencies(100, 2)}
    run = kernelpick.trace("rf-bao2ks", X, y, **problem, random_state=0)
    found = finding(case, entrant, plan, book)
    assert found.mean == pytest.approx(run.losses.sum() - best, abs=2e-3 * best)
    assert found.wrong == np.mean(np.sign(run.predictions) != y)
    assert found.boxed is None and np.isnan(found.bound)


def test_algorithms_of_one_loss_are_there_for_it_alone():
    names = {loss: {one.name for one in chosen("", LOSSES[loss])} for loss in ("square", "logistic", "hinge")}
    assert {"bao2ks", "rf-bao2ks"} <= names["hinge"] and "oks++" not in names["hinge"]
    assert not {"bao2ks", "rf-bao2ks"} & (names["square"] | names["logistic"])


def test_a_power_is_found_with_its_interval():
    generator = np.random.default_rng(0)
    findings = [
        SimpleNamespace(case=SimpleNamespace(horizon=T), regrets=3 * T**0.6 * generator.normal(1, 0.1, 20))
        for T in (500, 1000, 2000, 4000)
    ]
    found = slope(findings)
    assert found.low < 0.6 < found.high and found.high - found.low < 0.2
    findings[0].regrets = -findings[0].regrets
    assert np.isnan(slope(findings).value)
