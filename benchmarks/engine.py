"""The engine's speed and memory, each as a ratio to something measured in the same run."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

import multiply_adds
import numpy as np
from lines import Line
from peak import share
from yardstick import limit

import kernelpick

ROUNDS, FEATURES = 16_599, 400


def best(work: Callable[[], object], repeats: int = 5) -> float:
    """The shortest of a few runs, after one to warm up."""
    work()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def stream(inputs: int, zeros: float = 0.0, rounds: int = ROUNDS) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(0)
    X = generator.uniform(-1, 1, (rounds, inputs))
    X[generator.random(X.shape) < zeros] = 0
    return X, 0.5 + 0.5 * np.sin(3 * X[:, 0]) * X[:, 1]


def ratio(ours: float, theirs: float | None) -> float | None:
    return None if theirs is None else ours / theirs


def features(inputs: int, zeros: float = 0.0) -> tuple[float | None, float]:
    """Time over the limit, and the share of the peak."""
    X, y = stream(inputs, zeros)
    ours = best(lambda: kernelpick.trace("rf-oks++", X, y, loss="square", n_features=FEATURES)) / ROUNDS
    needed = multiply_adds.features(np.count_nonzero(X) / ROUNDS, FEATURES)
    return ratio(ours, limit("features", ROUNDS, inputs, FEATURES)), share(needed, ours)


def exact() -> tuple[float | None, float]:
    X, y = stream(18)
    widths = [0.5, 0.6, 4.0]  # the last is drawn in well over 80 % of the rounds
    run = kernelpick.trace("oks++", X, y, loss="square", widths=widths)
    assert np.bincount(run.arms).max() >= 0.8 * ROUNDS
    stored = sum(np.sum(np.arange(count)) for count in np.bincount(run.arms)) / ROUNDS  # of the arm, on average
    ours = best(lambda: kernelpick.trace("oks++", X, y, loss="square", widths=widths), repeats=2) / ROUNDS
    return ratio(ours, limit("exact", ROUNDS, 18)), share(multiply_adds.exact(18, stored), ours)


def many_kernels() -> tuple[float, float]:
    X, y = stream(18)
    few, many = (2.0 ** np.linspace(-2, 3, arms) for arms in (6, 60))
    times = [[], []]
    for _ in range(5):  # in turn, so that a slow moment of the machine hits both
        for kept, widths in zip(times, (few, many), strict=True):
            kept.append(best(lambda widths=widths: kernelpick.trace("rf-oks++", X, y, loss="square", widths=widths), 1))
    reached = share(multiply_adds.features(18, FEATURES), min(times[1]) / ROUNDS)
    return min(times[1]) / min(times[0]), reached


def memory() -> float:
    """Peak resident memory that an exact run adds, less 16 MB, over the bytes of X; in a process of its own."""
    program = (
        "import resource, numpy as np, kernelpick\n"
        "X = np.random.default_rng(0).uniform(-1, 1, (30_000, 18)); y = X[:, 0] ** 2\n"
        "kernelpick.trace('oks++', X[:300], y[:300], loss='square', widths=[0.5, 1.0])\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "kernelpick.trace('oks++', X, y, loss='square', widths=[0.5, 1.0])\n"
        "added = 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
        "print(max(0, added - 16e6) / X.nbytes)\n"
    )
    return float(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout)


def process_time(program: str, environment: dict[str, str] | None = None, repeats: int = 5) -> float:
    command = [sys.executable, "-c", program]
    return best(lambda: subprocess.run(command, check=True, capture_output=True, env=environment), repeats)


def importing() -> float:
    bare = process_time("pass")
    return (process_time("import kernelpick") - bare) / (process_time("import numpy") - bare)


COMPILE_ALL = """
import numpy as np, kernelpick
from kernelpick.core.algorithms import PAPER
from kernelpick.core.losses import LOSSES
X, y = np.random.default_rng(0).random((20, 3)), np.resize([-1.0, 1.0], 20)
for name, algorithm in PAPER.items():
    for loss in LOSSES.values():
        if loss.smooth is not None or not algorithm.needs_smooth:
            kernelpick.trace(name, X, y, loss=loss.name)
"""
ONE_TRACE = "import numpy as np, kernelpick; kernelpick.trace('rf-oks++', np.ones((9, 3)), np.ones(9), loss='square')"


def compiling() -> tuple[float, float]:
    """Seconds to compile everything once, and of one trace in a new process with a warm cache."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"NUMBA_CACHE_DIR": folder}
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", COMPILE_ALL], check=True, env=environment)
        return time.perf_counter() - start, process_time(ONE_TRACE, environment, 3)


def rows() -> list[Line]:
    compiled, warm = compiling()
    found = [
        ("rf-oks++, d 18, D 400, in a batch", features(18), 1.3, "x limit"),
        ("rf-oks++, d 123, D 400, in a batch", features(123), 1.3, "x limit"),
        ("the same with 88 % zeros", features(123, 0.88), 0.8, "x limit of d 123"),
        ("oks++ exact, d 18, one arm in most rounds", exact(), 1.5, "x limit"),
        ("60 instead of 6 kernels, rf-oks++", many_kernels(), 1.2, "x the time"),
    ]
    return [
        *(Line(work, measured, bar, unit, reached) for work, (measured, reached), bar, unit in found),
        Line("exact space, memory beyond 16 MB", memory(), 1.5, "x the bytes of X"),
        Line("import kernelpick", importing(), 1.5, "x import numpy"),
        Line("compiling all algorithms and losses", compiled, 30.0, "s"),
        Line("a trace in a new process, warm cache", warm, 1.5, "s"),
    ]
