"""How a time budget is kept, one row at a time: python deadline.py [--budget 300us] [--columns 18] [--rows 20000] ...
In batches: python deadline.py --batch 1024 --rows 204800.

Thread CPU time of predict_one and learn_one in River's face, or of a row of partial_fit in scikit-learn's; made-up
rows, all of them counted, no garbage collection. Other programs disturb single runs: so there is a line for each run,
one for the least of all runs of every call, and one for a loop of Python that does the same in every turn.
"""

import argparse
import gc
from collections.abc import Callable, Iterator
from time import thread_time_ns
from typing import Any

import numpy as np

from kernelpick import KernelRegressor, river
from kernelpick.budget.parse import seconds

WARM = 2500  # rows of a first run, which is not counted
FIXED = 600  # steps of the loop


def stream(rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    X = np.random.default_rng(0).uniform(-1, 1, (rows, columns))
    return X, 0.5 + 0.5 * np.sin(3 * X[:, 0]) * X[:, 1]


def single(X: np.ndarray, y: np.ndarray) -> list[tuple[dict[str, float], float]]:
    names = [f"x{i}" for i in range(X.shape[1])]
    return [(dict(zip(names, x, strict=True)), t) for x, t in zip(X.tolist(), y.tolist(), strict=True)]


def timed(play: Callable[[Any, Any], object], calls: list[tuple[Any, Any]]) -> np.ndarray:
    """Microseconds of each call."""
    times = np.empty(len(calls))
    gc.collect()
    gc.disable()
    try:
        for i, (x, target) in enumerate(calls):
            begin = thread_time_ns()
            play(x, target)
            times[i] = thread_time_ns() - begin
    finally:
        gc.enable()
    return times / 1e3


def begun(options: argparse.Namespace) -> tuple[Any, Callable[[Any, Any], object]]:
    """A model that knows nothing yet, and a call of it."""
    if options.batch > 1:
        model = KernelRegressor(options.algorithm, time_budget=options.budget, random_state=0)
        return model, model.partial_fit
    alone = river.KernelRegressor(options.algorithm, time_budget=options.budget, seed=0)

    def play(x: Any, target: Any) -> None:
        alone.predict_one(x)
        alone.learn_one(x, target)

    return alone, play


def runs(options: argparse.Namespace) -> Iterator[tuple[str, np.ndarray]]:
    """What each was, and the microseconds of a row of its calls."""
    (X, y), batch = stream(options.rows, options.columns), options.batch
    calls = single(X, y) if batch == 1 else [(X[i : i + batch], y[i : i + batch]) for i in range(0, len(X), batch)]
    for run in range(-1, options.runs):
        model, play = begun(options)
        times = timed(play, calls[: -(-WARM // batch)] if run < 0 else calls) / batch
        if run >= 0:
            spec = model._fitted.spec
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
    parser.add_argument("--batch", type=int, default=1, help="rows of a call (1)")
    parser.add_argument("--runs", type=int, default=3, help="that are counted (3)")
    parser.add_argument("--algorithm", default="auto", help="which algorithm (auto)")
    options = parser.parse_args()
    budget, every = 1e6 * seconds(options.budget), []
    for what, times in runs(options):
        every.append(times)
        print(line(what, times, budget), flush=True)
    least = np.min(every, axis=0)
    print(line("the least of all runs of each call", least, budget))
    print(line("of these, the later half", least[len(least) // 2 :], budget))
    print(line("a loop of Python, always the same", timed(lambda x, t: sum(range(FIXED)), [({}, 0.0)] * 5000), budget))


if __name__ == "__main__":
    main()
