"""Which runs there are and in which order."""

from kernelpick.core import Specification
from kernelpick.lab.reproduce import plan
from kernelpick.lab.reproduce.cells import all_cells


def test_everything_is_196_runs_a_permutation():
    runs = plan.runs(all_cells(), ("published",), 10)
    assert len(runs) == len(set(runs)) == 1960


def test_twins_are_the_cells_whose_specification_is_the_same_in_both_settings():
    for cell in all_cells():
        effects = set()
        for settings in ("published", "paper"):
            spec = Specification(cell.algorithm, cell.loss, 3, settings=settings)
            selector = spec.row.selector.build(spec.problem(1000))
            rates = [float(number) for number in selector if isinstance(number, float)]
            effects.add((spec.mode, spec.row.kernels_in_effect(spec.kernels, spec.published), *rates))
        assert plan.departs(cell) == (len(effects) == 2), cell
        for run in plan.runs([cell], ("published",), 1):
            assert (plan.twin(run) == run) == plan.departs(cell) and plan.twin(plan.twin(run)) == run


def test_of_twins_one_is_computed():
    both = plan.runs(all_cells(), ("published", "paper"), 1)
    kept = plan.distinct(both)
    assert len(both) == 392 and {run for run in both if run not in kept} == {
        run for run in both if run.settings == "paper" and not plan.departs(run.cell)
    }


def test_each_algorithm_first_then_the_longest():
    runs = plan.runs(all_cells(), ("published",), 2)
    ordered = plan.in_order(runs)
    assert len(ordered) == len(runs) and set(ordered) == set(runs)
    assert len({run.cell.algorithm for run in ordered[:8]}) == 8
    times = [plan.seconds(run) for run in ordered[8:]]
    assert times == sorted(times, reverse=True)
