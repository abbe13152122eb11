"""A row at a time from Python: predictions and learning, beside River's linear models on the same rows.

All play the same stream in turn, a stretch each, so that a slow moment of the machine hits all. The figure is the
median of a row. python one_row.py also prints the microseconds behind the ratios.
"""

import gc
import time
from collections.abc import Callable

import multiply_adds
import numpy as np
from engine import stream
from lines import Line
from peak import share

from kernelpick import core
from kernelpick.core import Specification
from kernelpick.core.algorithms import ALGORITHMS

ROUNDS, FIRST, STRETCH = 20_000, 1_000, 100  # rows; those that are not counted: fits and epochs; rows in turn
PIPELINE, LINEAR = "River's scaler and linear model", "River's LinearRegression"
FACE = "River: predict_one and learn_one, 18 features"
# each line, whom it is compared with, and the bar
LINES = {
    f"{FACE}, rf-oks++, D 100": (PIPELINE, 1.2),
    f"{FACE}, auto": (PIPELINE, 2.5),
    "core: predict and learn, 18 features, rf-oks++, D 400": (LINEAR, 4.0),
}


def players() -> dict[str, Callable[[int], object]]:
    """What plays row t, by name."""
    from river import linear_model, preprocessing

    from kernelpick.river import KernelRegressor

    X, y = stream(18, rounds=ROUNDS)
    pairs = [
        (dict(zip(map("x{}".format, range(18)), x, strict=True)), target)
        for x, target in zip(X.tolist(), y.tolist(), strict=True)
    ]
    matrices = [(X[t : t + 1], y[t : t + 1, None]) for t in range(ROUNDS)]
    spec = Specification("rf-oks++", "square", 18, n_features=400)
    state = core.start(spec)

    def face(model: object) -> Callable[[int], object]:
        def play(t: int) -> None:
            x, target = pairs[t]
            model.predict_one(x)  # type: ignore[attr-defined]
            model.learn_one(x, target)  # type: ignore[attr-defined]

        return play

    def engine(t: int) -> None:
        nonlocal state
        x, target = matrices[t]
        core.predict(spec, state, x, core.arm_numbers(spec, state.rounds, 1)[0])
        state, _ = core.advance_in_place(spec, state, x, target)

    ours = face(KernelRegressor("rf-oks++", n_features=100, seed=0)), face(KernelRegressor(seed=0)), engine
    theirs = preprocessing.StandardScaler() | linear_model.LinearRegression(), linear_model.LinearRegression()
    return dict(zip([*LINES, PIPELINE, LINEAR], [*ours, *map(face, theirs)], strict=True))


def microseconds() -> dict[str, np.ndarray]:
    """Of each row that counts, by player."""
    playing, clock = players(), time.perf_counter_ns
    times: dict[str, list[int]] = {name: [] for name in playing}
    gc.disable()
    try:
        for start in range(0, ROUNDS, STRETCH):
            for name, play in playing.items():
                for t in range(start, start + STRETCH):
                    begin = clock()
                    play(t)
                    times[name].append(clock() - begin)
    finally:
        gc.enable()
    return {name: np.array(found[FIRST:]) / 1e3 for name, found in times.items()}


def rows() -> list[Line]:
    try:
        medians = {name: float(np.median(found)) for name, found in microseconds().items()}
    except ImportError:
        return [Line(work, None, bar, f"x {other}") for work, (other, bar) in LINES.items()]
    pairs = ALGORITHMS["auto"].features_for(18)
    needed = multiply_adds.features(18, 100), multiply_adds.auto(18, pairs), multiply_adds.features(18, 400)
    return [
        Line(work, medians[work] / medians[other], bar, f"x {other}", share(each, medians[work] / 1e6))
        for (work, (other, bar)), each in zip(LINES.items(), needed, strict=True)
    ]


if __name__ == "__main__":
    found = microseconds()
    for name, times in found.items():
        p10, p50, p99 = np.quantile(times, (0.1, 0.5, 0.99))
        print(f"{name:65} p10 {p10:6.1f}  p50 {p50:6.1f}  p99 {p99:7.1f}")
    for work, (other, bar) in LINES.items():
        print(f"{work:65} {np.median(found[work]) / np.median(found[other]):.2f} x {other}, bar {bar}")
