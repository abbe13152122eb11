"""How a time budget is kept, one row at a time: python deadline.py [--budget 300us] [--columns 18] [--rows 20000] ...

Thread CPU time of predict_one and learn_one in River's face, made-up rows, all of them counted, no garbage collection.
Other programs disturb single runs: so there is a line for each run, one for the least of all runs of every row, and
one for a loop of Python that does the same in every turn.
"""

import argparse
import gc
from collections.abc import Callable, Iterator
from time import thread_time_ns

import numpy as np

from kernelpick.budget.parse import seconds
from kernelpick.river import KernelRegressor

WARM = 2500  # rows of a first run, which is not counted
FIXED = 600  # steps of the loop


def stream(rows: int, columns: int) -> list[tuple[dict[str, float], float]]:
    X = np.random.default_rng(0).uniform(-1, 1, (rows, columns))
    y = 0.5 + 0.5 * np.sin(3 * X[:, 0]) * X[:, 1]
    names = [f"x{i}" for i in range(columns)]
    return [(dict(zip(names, x, strict=True)), t) for x, t in zip(X.tolist(), y.tolist(), strict=True)]


def timed(play: Callable[[dict[str, float], float], object], rows: list[tuple[dict[str, float], float]]) -> np.ndarray:
    """Microseconds of each row."""
    times = np.empty(len(rows))
    gc.collect()
    gc.disable()
    try:
        for i, (x, target) in enumerate(rows):
            begin = thread_time_ns()
            play(x, target)
            times[i] = thread_time_ns() - begin
    finally:
        gc.enable()
    return times / 1e3


def runs(options: argparse.Namespace) -> Iterator[tuple[str, np.ndarray]]:
    """What each was, and its times."""
    rows = stream(options.rows, options.columns)
    for run in range(-1, options.runs):
        model = KernelRegressor(options.algorithm, time_budget=options.budget, seed=0)

        def play(x: dict[str, float], target: float, model: KernelRegressor = model) -> None:
            model.predict_one(x)
            model.learn_one(x, target)

        times = timed(play, rows[:WARM] if run < 0 else rows)
        spec = model._fitted.spec
        if run >= 0:
            yield f"run {run + 1}: {spec.n_features} pairs, N = {spec.hypotheses:g}", times


def line(what: str, times: np.ndarray, budget: float) -> str:
    p50, p99, p999 = np.quantile(times, (0.5, 0.99, 0.999))
    shares = f"mean {times.mean() / budget:4.0%}, p99 {p99 / budget:4.0%} of the budget"
    return f"{what:34} {shares}; p50 {p50:6.1f} us, p99/p50 {p99 / p50:.2f}, p99.9/p50 {p999 / p50:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--budget", default="300us", help="time_budget (300us)")
    parser.add_argument("--columns", type=int, default=18, help="of the rows (18)")
    parser.add_argument("--rows", type=int, default=20_000, help="of a run (20,000)")
    parser.add_argument("--runs", type=int, default=3, help="that are counted (3)")
    parser.add_argument("--algorithm", default="auto", help="which algorithm (auto)")
    options = parser.parse_args()
    budget, every = 1e6 * seconds(options.budget), []
    for what, times in runs(options):
        every.append(times)
        print(line(what, times, budget), flush=True)
    least = np.min(every, axis=0)
    print(line("the least of all runs of each row", least, budget))
    print(line("of these, the later half", least[len(least) // 2 :], budget))
    print(line("a loop of Python, always the same", timed(lambda x, t: sum(range(FIXED)), [({}, 0.0)] * 5000), budget))


if __name__ == "__main__":
    main()
