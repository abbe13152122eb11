"""kernelpick.dask.fit on worker processes of this machine: python benchmarks/scale.py [--rows 2000000] [--workers 2].

Rows a second of one process and of the cluster, what the models of partitions weigh, and what a merge takes. With
--datasets, instead, the test error of shards that were merged beside that of a single pass, on the paper's eight
(KERNELPICK_DATA): kernels alone, or with --trees models as they are. docs/scale.md has the figures.
"""

import argparse
import time

import numpy as np

import kernelpick
from kernelpick import KernelClassifier, KernelRegressor

DATASETS = ("elevators", "bank", "ailerons", "Hardware", "phishing", "magic04", "SUSY", "a9a")
COLUMNS, CHUNK, SHARDS, MOST = 10, 100_000, 8, 20_000


def made_up(rows: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(rows, COLUMNS))


def target(X: np.ndarray) -> np.ndarray:
    return np.asarray(np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * np.sin(100 * X[:, 3]))


def throughput(rows: int, workers: int) -> None:
    import dask.array
    from dask.delayed import delayed
    from distributed import Client, LocalCluster

    import kernelpick.dask

    count = -(-rows // CHUNK)
    blocks = [delayed(made_up, pure=True)(CHUNK, i) for i in range(count)]
    X = dask.array.concatenate([dask.array.from_delayed(b, (CHUNK, COLUMNS), float) for b in blocks])
    y = dask.array.concatenate([dask.array.from_delayed(delayed(target)(b), (CHUNK,), float) for b in blocks])
    first = made_up(CHUNK, 0)
    start = KernelRegressor(random_state=0).partial_fit(first[:1024], target(first[:1024]))
    single = start.blank()
    begun, busy = time.perf_counter(), time.process_time()
    for i in range(count):
        block = made_up(CHUNK, i)
        single.partial_fit(block, target(block))
    alone, busy_alone = time.perf_counter() - begun, time.process_time() - busy
    print(f"one process: {count * CHUNK / alone:,.0f} rows a second")
    with (
        LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        kernelpick.dask.fit(start, X[: 2 * CHUNK], y[: 2 * CHUNK])  # imported and compiled
        begun, before = time.perf_counter(), client.run(time.process_time)
        whole = kernelpick.dask.fit(start, X, y)
        together, after = time.perf_counter() - begun, client.run(time.process_time)
    fresh = made_up(20_000, 10**6)
    apart = abs(whole.predict(fresh) - single.predict(fresh)).max()
    print(f"{workers} workers: {count * CHUNK / together:,.0f} rows a second, {alone / together:.2f} x of one process")
    busy_workers = ", ".join(f"{after[address] - before[address]:.1f}" for address in after)
    print(f"seconds of CPU: {busy_alone:.1f} in one process; in the workers {busy_workers}")
    print(f"a model weighs {len(whole.to_bytes()) / 1e6:.1f} MB; the predictions differ by {apart:.2g} at most")


def merging() -> None:
    """Seconds of CPU to merge two models of ten columns, from bytes and back, as a task does."""
    X = made_up(5000, 0)
    start = KernelRegressor(random_state=0).partial_fit(X[:1024], target(X[:1024]))
    parts = [start.blank().partial_fit(X[i::2], target(X[i::2])).to_bytes() for i in range(2)]
    begun = time.process_time()
    kernelpick.merge(kernelpick.from_bytes(part) for part in parts).to_bytes()
    print(f"a merge of two models of {len(parts[0]) / 1e6:.1f} MB takes {time.process_time() - begun:.2f} s of CPU")


def errors(names: tuple[str, ...], count: int, trees: bool) -> None:
    """Four fifths of the rows, in one pass or in shards that are merged; the error on the rest."""
    from kernelpick.lab.datasets.prepared import dataset

    for name in names:
        data = dataset(name, download=False)
        order = np.random.default_rng(0).permutation(len(data.y))[: MOST if trees else None]
        X, y, classifies = data.X[order], data.y[order], data.task == "classification"
        cut = len(y) * 4 // 5
        kind = KernelClassifier if classifies else KernelRegressor
        alone = {} if trees else {"forgetting": 1.0, "companions": ()}  # memories and trees are no sums
        model = kind(random_state=0, **alone)
        start = model.partial_fit(X[:1024], y[:1024], **({"classes": np.unique(y)} if classifies else {}))
        parts = np.array_split(np.arange(cut), count)
        shards = [start.blank().partial_fit(X[part], y[part]) for part in parts]
        found = [kernelpick.merge(shards), start.blank().partial_fit(X[:cut], y[:cut]), shards[0]]
        said = [one.predict(X[cut:]) for one in found]
        wrong = [float(np.mean(s != y[cut:]) if classifies else np.mean((s - y[cut:]) ** 2)) for s in said]
        print(
            f"{name:10} merged {wrong[0]:.6f}  single pass {wrong[1]:.6f}  ratio {wrong[0] / wrong[1]:.3f}  "
            f"one shard {wrong[2]:.6f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--datasets", action="store_true")
    parser.add_argument("--shards", type=int, default=SHARDS)
    parser.add_argument("--trees", action="store_true")
    given = parser.parse_args()
    if given.datasets:
        errors(DATASETS, given.shards, given.trees)
        return
    merging()
    throughput(given.rows, given.workers)


if __name__ == "__main__":
    main()
