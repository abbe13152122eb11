"""How work is handed out: seeds together, something of each algorithm first, then the longest first."""

import pytest

from kernelpick.core.losses import LOSSES
from kernelpick.lab.regret.command import errands, in_two
from kernelpick.lab.regret.entrants import chosen
from kernelpick.lab.regret.plan import Premises, planned, seconds
from kernelpick.lab.regret.plays import Play
from kernelpick.lab.regret.streams import NamedStream

NAMES = "oks,rf-oks++,leader-newton"


@pytest.fixture(scope="module")
def tasks():
    lists = {"horizons": "50,4000", "kernels": "2", "features": ""}
    plan = planned(Premises(NamedStream("planted"), "square"), chosen(NAMES, LOSSES["square"]), 20, lists)
    return [*plan.rivals(), *plan.plays()]


def test_every_task_is_in_one_errand(tasks):
    given = [task for errand in errands(tasks, ()) for task in errand.tasks]
    assert len(given) == len(tasks) and set(given) == set(tasks)


def test_short_plays_go_together_and_long_ones_do_not(tasks):
    some = errands(tasks, ())
    assert all(
        len({(task.case, task.entrant) for task in errand.tasks if isinstance(task, Play)}) < 2 for errand in some
    )
    assert all(errand.seconds < 1 + 2 * seconds(errand.tasks[0]) for errand in some if len(errand.tasks) > 1)
    short = [errand for errand in some if isinstance(errand.tasks[0], Play) and errand.tasks[0].case.horizon == 50]
    assert {len(errand.tasks) for errand in short} == {20}
    assert max(len(errand.tasks) for errand in some if errand.seconds > 1) < 20


def test_the_first_are_one_of_each_algorithm_and_the_rest_are_ever_shorter(tasks):
    some = errands(tasks, ())
    first, then = in_two(some)
    assert sorted(errand.tasks[0].entrant.algorithm for errand in first) == sorted(NAMES.split(","))
    assert all(errand.tasks[0].case.horizon == 50 for errand in first)
    assert {*first, *then} == {*some} and len(first) + len(then) == len(some)
    lengths = [errand.seconds for errand in then]
    assert lengths == sorted(lengths, reverse=True)
