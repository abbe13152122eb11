"""Calibrations that are kept."""

import json
import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from kernelpick import KernelRegressor
from kernelpick.budget import cache, calibration
from kernelpick.budget.calibration import Unsized, costs_for
from kernelpick.budget.costs import Costs
from kernelpick.budget.fit import Curve

ASKED = Unsized(KernelRegressor("rf-oks++").get_params(deep=False), False, 18, 1)
COSTS = Costs(512, (), Curve(1e-6, 1e-9), Curve(1e-6, 1e-9))


@pytest.fixture(autouse=True)
def forgetful(monkeypatch):
    monkeypatch.setattr(calibration, "_known", {})


def found(machine, folder, again=False, asked=ASKED):
    calibration._known.clear()  # as another process would
    return costs_for(asked, machine.way, machine.clock, lambda: folder, again)


def test_a_second_process_does_not_measure(tmp_path, costly, costs):
    machine = costly(costs["linear"])
    first = found(machine, tmp_path)
    other = costly(lambda plan: 1.0)
    assert found(other, tmp_path) == first and other.probed == []
    assert [path.suffix for path in tmp_path.iterdir()] == [".json"]
    assert found(other, tmp_path, again=True) != first and other.probed


def test_dimension_learner_way_and_machine_have_files_of_their_own(tmp_path, costly, costs, monkeypatch):
    machine = costly(costs["linear"])
    found(machine, tmp_path)
    wide = Unsized(ASKED.params, False, 19, 1)
    raker = Unsized(ASKED.params | {"algorithm": "raker"}, False, 18, 1)
    for asked in (wide, raker):
        found(machine, tmp_path, asked=asked)
    found(costly(costs["linear"], rows=1, calls=4), tmp_path)
    monkeypatch.setattr(cache, "machine", lambda: "another")
    found(machine, tmp_path)
    assert len(list(tmp_path.iterdir())) == 5


def test_a_pure_bandit_has_a_file_of_its_own(tmp_path, costly, costs):
    """It is not measured what several hypotheses cost each other, which others need."""
    one, usual, three = (
        Unsized(KernelRegressor(hypotheses=n).get_params(deep=False), False, 18, 1, rows=1) for n in (1.0, 1.3, 3.0)
    )
    machine = costly(costs["quadratic"], rows=1, calls=4)
    assert found(machine, tmp_path, asked=one).crowds == ()
    assert len(found(machine, tmp_path, asked=usual).crowds) == 2
    assert found(machine, tmp_path, asked=three) == found(machine, tmp_path, asked=usual)
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("content", ["", "{", "[]", '{"costs": 1}', '{"costs": {"rows": "many"}}'])
def test_a_file_that_is_broken_is_measured_again_and_mended(tmp_path, costly, costs, content):
    first = found(costly(costs["linear"]), tmp_path)
    [path] = tmp_path.iterdir()
    path.write_text(content)
    assert found(costly(costs["linear"]), tmp_path) == first
    assert cache.found(path) == first


@pytest.mark.parametrize("number", [-1e-6, "1e-6", True, float("inf")])
def test_numbers_of_a_forged_file_are_checked(tmp_path, number):
    path = tmp_path / "budget.json"
    told = COSTS.told() | {"mean": [number, 1e-9, 0.0]}
    path.write_text(json.dumps({"costs": told}))
    assert cache.found(path) is None


def test_a_folder_that_is_not_there_costs_a_measurement(tmp_path, costly, costs):
    machines = [costly(costs["linear"]) for _ in range(2)]
    first, second = (found(machine, tmp_path / "gone") for machine in machines)
    assert first == second and all(machine.probed for machine in machines)
    assert not (tmp_path / "gone").exists()


def test_of_two_that_measure_at_once_the_first_is_right_for_both(tmp_path):
    path = tmp_path / "budget.json"
    others = [COSTS._replace(rows=rows) for rows in range(1, 21)]
    with ThreadPoolExecutor(8) as threads:
        kept = list(threads.map(lambda costs: cache.keep(path, costs, {}), others))
    assert set(kept) == {cache.found(path)}
    assert os.listdir(tmp_path) == ["budget.json"]
