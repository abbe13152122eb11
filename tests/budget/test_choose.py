"""Sizes that are chosen from costs, beside a plain search over all uses of a budget."""

import itertools
import json
import math

import numpy as np
import pytest
from plain_choice import plain_choice

from kernelpick import KernelClassifier, KernelRegressor
from kernelpick.budget import parse
from kernelpick.budget.calibration import Unsized, calibrated
from kernelpick.budget.choose import IN_BATCHES, TooSmallError, Usable, choose
from kernelpick.budget.costs import Costs, Point, costs_of
from kernelpick.budget.fit import Curve, fitted
from kernelpick.budget.measure import Probe, Seconds, measured
from kernelpick.budget.sizes import Sized, sized

FIRST = Sized("n_features", 400, 400, 1, 0, (16, 64, 256))
SECOND = Sized("n_features", 152, 496, 2, 18, (16, 64, 192))
COSTS = Costs(512, (), Curve(2e-6, 1e-9, 8e-11), Curve(2.2e-6, 1e-9, 9e-11), Seconds(2e-5, 2.1e-5), Seconds(3e-5, 4e-5))


@pytest.mark.parametrize(
    ("given", "seconds"),
    [("50us", 5e-5), ("50 µs", 5e-5), ("1ms", 1e-3), ("0.5s", 0.5), ("2e3ns", 2e-6), (1e-4, 1e-4), (1, 1.0)],
)
def test_times_are_read(given, seconds):
    assert parse.seconds(given) == seconds


@pytest.mark.parametrize("given", ["", "fast", "-1ms", "0us", "1 h", 0, -1e-3, math.nan, math.inf, True, None, [1]])
def test_what_is_no_time_is_refused_in_a_sentence(given):
    with pytest.raises(
        ValueError, match="time_budget is a time above 0: a number of seconds, or a text such as '50us'"
    ):
        parse.seconds(given)


@pytest.mark.parametrize("curve", [Curve(3e-6, 2e-8), Curve(1e-6, 1e-9, 1e-10), Curve(0.0, 0.0, 2e-10)])
def test_a_curve_is_found_again_from_its_points(curve):
    sizes = [16, 100, 300, 1000]
    found = fitted(sizes, [curve.at(size) for size in sizes], degree=2 if curve.square else 1)
    assert np.allclose([found.at(x) for x in (16, 50, 2000)], [curve.at(x) for x in (16, 50, 2000)], rtol=1e-6)


def test_a_line_bends_where_the_largest_takes_clearly_more():
    """Caches hold 1,000 here; beyond, each takes twice as long. What takes a little more is a line still."""
    sizes = [16, 100, 1000, 4000]
    true = Curve(2e-6, 1e-8, 0.0, 1000.0, 1e-8)
    found = fitted(sizes, [true.at(size) for size in sizes], degree=1)
    assert np.allclose(found, true, rtol=1e-6)
    assert found.at(4000) == pytest.approx(2e-6 + 7000e-8)
    straight = fitted(sizes, [1e-8 * size * (1.08 if size == 4000 else 1.0) for size in sizes], degree=1)
    assert straight.more == 0.0 and straight.at(4000) > 4e-5


@pytest.mark.parametrize("usable", [
    Usable(FIRST, 1.0, 1.0, False, False),
    Usable(FIRST, 1.3, 6.0, False, False),
    Usable(SECOND, 1.3, 8.0, True, True),
    Usable(SECOND, 1.3, 8.0, False, True),
    Usable(SECOND, 2.0, 8.0, True, False),
    Usable(SECOND, 2.0, 8.0, True, True, fits=True),
    Usable(SECOND, 2.0, 2.0, True, False, fits=True),
    Usable(SECOND._replace(usual=496), 2.0, 8.0, True, True),
])  # fmt: skip
@pytest.mark.parametrize("rows", [1, 512])
def test_the_choice_is_that_of_a_plain_walk(usable, rows):
    costs = COSTS._replace(rows=rows)
    for budget in np.geomspace(1e-6, 5e-3, 60):
        expected = plain_choice(costs, usable, budget)
        if expected is None:
            with pytest.raises(TooSmallError) as caught:
                choose(costs, usable, budget)
            assert caught.value.smallest > budget
            assert choose(costs, usable, caught.value.smallest * 1.000001).use.size == 16
        else:
            assert choose(costs, usable, budget) == expected


def test_costs_come_back_from_json():
    costs = COSTS._replace(points=(Point(16, 51, 1e-6, 2e-6),))
    assert costs_of(json.loads(json.dumps(costs.told()))) == costs


def unsized(algorithm, classifies=False, inputs=18, **params):
    face = KernelClassifier if classifies else KernelRegressor
    return Unsized(face(algorithm, **params).get_params(deep=False), classifies, inputs, 1)


@pytest.mark.parametrize("algorithm", ["rf-oks++", "rf-ioks", "raker", "rf-oks", "leader-adagrad"])
def test_first_order_costs_are_a_line(algorithm, costly, costs):
    machine = costly(costs["linear"])
    found = calibrated(unsized(algorithm), machine.way, machine.clock)
    assert np.allclose(found.mean, (2e-6, 1e-8, 0, 0, 0), rtol=1e-6) and np.allclose(found.high, found.mean)
    assert found.memories == found.companions == (0.0, 0.0)


def test_auto_is_measured_with_one_hypothesis_and_with_what_plays_beside_it(costly, costs):
    machine = costly(costs["quadratic"])
    asked = unsized("auto")
    found = calibrated(asked, machine.way, machine.clock)
    assert np.allclose(found.mean, (2e-6, 0, 1e-10, 0, 0), rtol=1e-4, atol=1e-12)
    assert np.allclose([*found.memories, *found.companions], [20e-6, 20e-6, 30e-6, 30e-6])
    assert {plan.specification.hypotheses for plan in machine.probed} == {1.0}
    assert not any(plan.specification.row.fits for plan in machine.probed)
    assert asked.usable() == Usable(sized("auto", 18), 1.3, 8.0, True, True)


@pytest.mark.parametrize(("inputs", "arms"), [(18, 8.0), (48, 8.0), (49, 6.0), (400, 5.0)])
def test_there_are_no_more_hypotheses_than_kernels_in_the_end(inputs, arms):
    assert unsized("auto", inputs=inputs).usable().most == arms
    assert unsized("leader-newton", inputs=inputs).usable().most == 8.0  # of a grid around the data
    asked = unsized("auto", inputs=inputs, hypotheses=99.0).usable()  # more than there are are all of them
    assert (asked.fewest, asked.most) == (arms, arms)


@pytest.mark.parametrize(("algorithm", "inputs", "usual", "most", "degree"), [
    ("auto", 18, 152, 496, 2),
    ("auto", 123, 104, 448, 2),
    ("auto", 990, 16, 16, 2),
    ("auto", 2000, 64, 16_384, 1),  # where its learner has no matrix
    ("auto-small", 18, 32, 32, 2),
    ("auto-tiny", 18, 32, 32, 1),
    ("rf-oks++", 18, 16_384, 16_384, 1),
    ("rf-oks++-newton", 18, 496, 496, 2),
    ("lkmbooks", 18, 4_096, 4_096, 1),
])  # fmt: skip
def test_bounds_of_sizes(algorithm, inputs, usual, most, degree):
    found = sized(algorithm, inputs)
    assert (found.usual, found.most, found.degree) == (usual, most, degree)
    assert len(found.probes) > degree and found.x(16) == (33 + inputs if degree == 2 else 16)


def test_what_a_user_decides_is_not_up_to_the_budget(costly, costs):
    asked = unsized("auto", companions=(), forgetting=0.99, hypotheses=3.0, kernels=[1.0, 2.0, 3.0, 4.0])
    assert asked.usable() == Usable(sized("auto", 18), 3.0, 4.0, False, False)
    pure = unsized("auto", hypotheses=1.0).usable()
    assert (pure.fewest, pure.most) == (1.0, 1.0)  # a bandit stays one


def test_stored_examples_are_sized(costly, costs):
    machine = costly(costs["linear"])
    found = calibrated(unsized("lkmbooks"), machine.way, machine.clock)
    usable = unsized("lkmbooks").usable()
    assert usable.sized.parameter == "budget"
    assert choose(found, usable, 20e-6).use.size == 1408  # (17 - 2)/0.01, in tiles of 128


@pytest.mark.parametrize(("algorithm", "instead"), [("oks", "rf-oks"), ("oks++", "rf-oks\\+\\+"), ("ioks", "rf-ioks")])
def test_exact_kernels_are_refused_by_a_sentence_that_names_their_kin(algorithm, instead):
    with pytest.raises(
        ValueError, match=f"{algorithm.replace('+', '.')} stores examples without end.* Take {instead},"
    ):
        KernelRegressor(algorithm, time_budget="1ms").partial_fit([[1.0], [2.0]], [1.0, 2.0])


def test_only_what_the_model_does_itself_counts(costly):
    """A call that is late once is not late; one that is late at every turn is."""
    calls = itertools.count()

    def cost(plan):
        turn, place = divmod(next(calls) - 1, 256)
        return 5e-4 if place in (1, 2, 3) else 9e-4 if turn == 0 and place > 200 else 1e-5

    machine = costly(cost, rows=1, calls=256)
    [times] = measured(machine.way, [Probe(unsized("rf-oks++").plan({"n_features": 16}), 0)], machine.clock)
    assert times.high == pytest.approx(5e-4)
    assert times.mean == pytest.approx((3 * 5e-4 + 253 * 1e-5) / 256)


@pytest.mark.parametrize("begins", [0.05, 0.3, 0.55])
def test_what_disturbs_the_machine_for_a_while_disturbs_no_probe_alone(costly, costs, begins):
    """A third of the time everything takes three times as long, and what is found is the same; where probes play one
    after the other, in one turn, it is not."""

    def disturbed(plan):
        return costs["quadratic"](plan) * (3.0 if begins <= machine.now < begins + 0.33 else 1.0)

    def found(machine, turns):
        return flat(calibrated(unsized("auto"), machine.way._replace(turns=turns), machine.clock))

    calm = found(costly(costs["quadratic"], rows=1, calls=64), 8)
    for turns in (8, 1):
        machine = costly(disturbed, rows=1, calls=64)
        assert (found(machine, turns) == pytest.approx(calm, rel=1e-6, abs=1e-12)) == (turns == 8)


def flat(costs):
    parts = *costs.points, costs.mean, costs.high, costs.memories, costs.companions, *costs.crowds
    return [number for part in parts for number in part]


def test_what_caches_do_not_hold_counts_more_in_single_rows():
    """Of frequencies that are read for every row; many rows read them together, and examples are few."""
    single, many = (sized("rf-oks++", 123, single=one) for one in (True, False))
    largest = single.probes[-1]
    assert 12_000 < largest < single.most and many.probes[-1] < largest
    assert [single.x(size) for size in (16, largest, largest + 100)] == [16, largest, largest + 300]
    assert many.x(largest + 100) == largest + 100 and sized("lkmbooks", 123, single=True).x(4096) == 4096
    assert sized("auto", 18, single=True).x(100) == 219


def test_code_that_is_found_in_the_middle_of_a_measurement_does_not_count(costly):
    calls = itertools.count()
    machine = costly(lambda plan: 3.0 if next(calls) == 100 else 1e-5, rows=1, calls=64)
    [times] = measured(machine.way, [Probe(unsized("rf-oks++").plan({"n_features": 16}), 0)], machine.clock)
    assert times == pytest.approx((1e-5, 1e-5))


def test_a_machine_that_is_busy_most_of_the_time_is_so_for_streams_too(costly):
    """Three of four calls take half as long again: the mean has them, and what is bought goes by it."""
    calls = itertools.count()
    machine = costly(lambda plan: 1e-5 * (1.0 if next(calls) % 4 == 0 else 1.5), rows=1, calls=7)
    [times] = measured(machine.way, [Probe(unsized("rf-oks++").plan({"n_features": 16}), 0)], machine.clock)
    assert times == pytest.approx((1.5e-5, 1e-5))
    busy = COSTS._replace(mean=COSTS.high._replace(linear=1.5 * COSTS.high.linear, square=1.5 * COSTS.high.square))
    usable = Usable(SECOND, 2.0, 2.0, False, False)
    for budget in (3e-5, 1e-4):
        chosen = choose(busy, usable, budget).use
        assert chosen.size < choose(COSTS, usable, budget).use.size
        assert busy.seconds(chosen, usable.sized.x(chosen.size)).mean <= (1 - IN_BATCHES.part) * budget
