"""One model per key: what a visit costs, for make bench; and by itself python benchmarks/keyed.py [--keys 100000] the
memory of many keys, and --prior what a prior is worth to the first rows of a new one. docs/scale.md has the figures."""

import argparse
import resource
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
from lines import Line

import kernelpick
from kernelpick import KernelRegressor, KeyedModels

COLUMNS, ROWS = 10, 10  # rows of a key in a visit
SOME_KEYS = 3000  # for make bench; docs/scale.md has 100,000
OF_PRIOR, RELATED, FIRST = 50, 200, 100  # keys that the prior is made of, all keys, first rows of a new one


def visits(keys: int, capacity: int, times: int, seed: int = 0) -> float:
    """Seconds a visit, in which a key learns some rows; the keys come in turns, so that each was spilled since."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(ROWS, COLUMNS))
    y = np.sin(2 * X[:, 0]) + X[:, 1]
    with KeyedModels(KernelRegressor(size="tiny", random_state=0), capacity=capacity) as models:
        start = time.process_time()
        for visit in range(keys * times):
            models.learn([visit % keys] * ROWS, X, y)
        return (time.process_time() - start) / (keys * times)


def rows() -> list[Line]:
    visits(4, 8, 8)  # compiled
    models = {size: saved(size) for size in ("small", "tiny")}
    return [
        Line(f"KeyedModels: a spilled key learns {ROWS} rows, tiny", 1e3 * visits(400, 40, 6), 6.0, "ms of CPU"),
        *(
            Line(f"to_bytes and from_bytes, {size}, d = {COLUMNS}", 1e3 * seconds, 2.0, "ms of CPU")
            for size, seconds in models.items()
        ),
        Line(
            f"KeyedModels: {SOME_KEYS:,} keys, 1,000 in memory, tiny", many(SOME_KEYS).peak, 1.0, "GiB of the process"
        ),
    ]


def saved(size: str, times: int = 1000) -> float:
    """Seconds of CPU to write a model into bytes and read it again; the least of many, as others are at work, too."""
    X = np.random.default_rng(0).normal(size=(3000, COLUMNS))
    model = KernelRegressor(size=size, random_state=0).partial_fit(X, np.sin(2 * X[:, 0]) + X[:, 1])
    seconds = []
    for _ in range(times):
        start = time.thread_time_ns()
        kernelpick.from_bytes(model.to_bytes())
        seconds.append(1e-9 * (time.thread_time_ns() - start))
    return min(seconds)


class Many(NamedTuple):
    rate: float  # rows a second, by the clock
    busy: float  # seconds of CPU a row
    peak: float  # GiB of memory of the process
    file: float  # GiB


def many(keys: int, times: int = 2, rows: int = 4) -> Many:
    """So many keys learn a few rows each, so many times, so that each was spilled since; and all is flushed."""
    rng = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "models.sqlite")
        begun, busy = time.perf_counter(), time.process_time()
        with KeyedModels(KernelRegressor(size="tiny", random_state=0), path=path) as models:
            for _ in range(times):
                for first in range(0, keys, 1000):
                    own = np.repeat(np.arange(first, min(first + 1000, keys)), rows)
                    X = rng.normal(size=(len(own), COLUMNS))
                    models.learn(own, X, np.sin(2 * X[:, 0]) + X[:, 1])
                models.flush()
        count = keys * times * rows
        rate, cpu = count / (time.perf_counter() - begun), (time.process_time() - busy) / count
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        return Many(rate, cpu, peak, path.stat().st_size / 2**30)


def related(rng: np.random.Generator, rows: int) -> tuple[np.ndarray, np.ndarray]:
    """A stream of its own level, trend and strength, beside a wave that all have in common."""
    X = rng.normal(size=(rows, COLUMNS))
    level, trend, strength = rng.normal(), rng.normal(size=COLUMNS) * 0.3, 1 + 0.3 * rng.normal()
    return X, level + X @ trend + strength * (np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2]) + 0.2 * rng.normal(size=rows)


def prior() -> dict[str, float]:
    """Errors of the first rows of new keys by what these begin with: mean squares over the variance of the targets."""
    rng = np.random.default_rng(7)
    streams = [related(rng, 400) for _ in range(OF_PRIOR)]
    X, y = (np.concatenate(parts)[:4000] for parts in zip(*streams, strict=True))
    start = KernelRegressor(size="small", random_state=0).partial_fit(X, y)
    common = kernelpick.merge([start.blank().partial_fit(*stream) for stream in streams])
    errors: dict[str, list[float]] = {"nothing": [], "scales and kernels of the prior": [], "the prior": []}
    for _ in range(RELATED - OF_PRIOR):
        X, y = related(rng, FIRST)
        for name, model in zip(
            errors, (KernelRegressor(size="small", random_state=0), common.blank(), common.blank(32.0)), strict=True
        ):
            errors[name].append(np.mean((model.progressive_fit(X, y) - y) ** 2) / y.var())
    return {name: float(np.mean(found)) for name, found in errors.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keys", type=int, default=10_000)
    parser.add_argument("--prior", action="store_true")
    given = parser.parse_args()
    if given.prior:
        for name, error in prior().items():
            print(f"first {FIRST} rows of a new key that begins with {name}: {error:.3f} of the variance")
        return
    visits(4, 8, 8)  # compiled
    found = many(given.keys)
    print(
        f"{given.keys:,} keys, 1,000 held: {found.rate:,.0f} rows a second, {1e3 * found.busy:.2f} ms of CPU each, "
        f"{found.peak:.2f} GiB of memory, {found.file:.2f} GiB on disk"
    )


if __name__ == "__main__":
    main()
