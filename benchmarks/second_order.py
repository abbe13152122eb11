"""Second-order learners and "auto": against BLAS in the same run, and in microseconds on the paper's datasets."""

import time

import multiply_adds
import numpy as np
from engine import best, stream
from lines import Line
from peak import share
from scipy.linalg.blas import dsymv, dsyr
from threadpoolctl import threadpool_limits

import kernelpick
from kernelpick import core
from kernelpick.core import Specification
from kernelpick.core.algorithms import ALGORITHMS
from kernelpick.core.kernels.gaussian import Gaussian
from kernelpick.lab.datasets import fetch
from kernelpick.lab.datasets.prepared import dataset
from kernelpick.lab.datasets.registry import REGISTRY

PAIRS, ROUNDS = 200, 1024


def against_blas(inputs: int, loss: str) -> list[tuple[float, float]]:
    """One hypothesis in a batch and row by row (from Python), over one dsymv plus one dsyr of the same order; and the
    share of the peak that each reaches."""
    X, y = stream(inputs, rounds=ROUNDS)
    Y = np.where(y > 0.5, 1.0, -1.0)[:, None] if loss == "logistic" else y[:, None]
    spec = Specification("leader-newton", loss, inputs, (Gaussian(1.0),), n_features=PAIRS)
    order = 2 * PAIRS + 1 + inputs
    matrix, vector = np.asfortranarray(np.eye(order)), np.random.default_rng(0).standard_normal(order)
    state = core.start(spec)
    rows = [(X[t : t + 1], Y[t : t + 1]) for t in range(128)]

    def blas() -> None:
        for _ in range(64):
            dsymv(1.0, matrix, vector, lower=1)
            dsyr(-1e-12, vector, lower=1, a=matrix, overwrite_a=1)

    def one_by_one() -> None:
        for x, target in rows:
            core.advance_in_place(spec, state, x, target)

    works = [(blas, 64), (lambda: core.advance_in_place(spec, state, X, Y), ROUNDS), (one_by_one, len(rows))]
    times = [np.inf] * len(works)
    for _ in range(8):  # in turn, so that a slow moment of the machine hits all
        for i, (work, count) in enumerate(works):
            times[i] = min(times[i], best(work, 1) / count)
    needed = multiply_adds.newton(inputs, PAIRS)
    return [(seconds / times[0], share(needed, seconds)) for seconds in times[1:]]


def microseconds(name: str) -> tuple[float | None, float | None]:
    """A round of the default estimator in a batch over the whole dataset, all that happens at its start included."""
    if fetch.find(REGISTRY[name]) is None:
        return None, None
    data = dataset(name, download=False)
    X, y = data.X[:20_000], data.y[:20_000]
    order = np.random.default_rng(0).permutation(len(X))
    X, y = np.ascontiguousarray(X[order]), y[order]
    estimator = kernelpick.KernelRegressor if data.task == "regression" else kernelpick.KernelClassifier
    estimator(random_state=0).fit(X[:1000], y[:1000])  # compiles
    times = []
    for seed in range(3):
        model, start = estimator(random_state=seed), time.perf_counter()
        for at in range(0, len(X), 1024):
            more = {} if data.task == "regression" or at else {"classes": np.unique(y)}
            model.partial_fit(X[at : at + 1024], y[at : at + 1024], **more)
        times.append((time.perf_counter() - start) / len(X) * 1e6)
    needed = multiply_adds.auto(X.shape[1], model.n_features_used_)
    return float(np.mean(times)), share(needed, 1e-6 * float(np.mean(times)))


def many_kernels() -> tuple[float, float]:
    """ "auto" with 60 kernels over "auto" with its five, on 16,599 rows."""
    X, y = stream(18)
    few, many = (tuple(2.0 ** np.linspace(-1, 3, arms)) for arms in (5, 60))
    slow, fast = (
        best(lambda widths=widths: kernelpick.trace("auto", X, y, loss="square", widths=widths), 1)
        for widths in (many, few)
    )
    return slow / fast, share(multiply_adds.auto(18, ALGORITHMS["auto"].features_for(18)), slow / len(X))


def megabytes() -> float:
    X, y = stream(18, rounds=2000)
    return kernelpick.KernelRegressor(random_state=0).partial_fit(X, y).memory_bytes_ / 1e6


def rows() -> list[Line]:
    found: list[Line] = []
    with threadpool_limits(1):
        for inputs in (18, 123):
            for loss in ("square", "logistic"):
                (batch, in_batch), (single, in_single) = against_blas(inputs, loss)
                what = f"newton, D = {PAIRS}, {inputs} inputs, {loss}"
                found += [Line(f"{what}, in a batch", batch, 0.5, "x dsymv + dsyr", in_batch)]
                found += [Line(f"{what}, row by row", single, 1.5, "x dsymv + dsyr", in_single)]
        works = [(f"auto on {name}", microseconds(name), 60, "µs a round") for name in REGISTRY]
        works += [("auto, 60 kernels", many_kernels(), 1.25, "x 5 kernels")]
        found += [Line(work, measured, bar, unit, reached) for work, (measured, reached), bar, unit in works]
        found += [Line("auto, 18 inputs: memory of the model", megabytes(), 20, "MB")]
    return found


if __name__ == "__main__":
    for row in rows():
        print(*row, sep=" | ")
