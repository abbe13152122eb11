"""kernelpick demo: a stream whose best kernel is known, a small real one, both also with "auto"; without network."""

import time

import numpy as np

from kernelpick import core
from kernelpick.core.kernels.gaussian import Gaussian
from kernelpick.core.specification import DEFAULT_WIDTHS, Specification
from kernelpick.lab.datasets.ranges import to_range
from kernelpick.lab.datasets.synthetic import waves
from kernelpick.sklearn import KernelClassifier, KernelRegressor

ROUNDS, TRUE_WIDTH = 65_536, 0.5


def main() -> None:
    _compile()
    _synthetic()
    _real()
    _auto()
    print("\nYour own file, beside other libraries:  kernelpick compare FILE")
    print("Every table of the paper, on its eight datasets:  kernelpick reproduce")


def watch(spec: Specification, X: np.ndarray, y: np.ndarray, first: int) -> tuple[core.State, np.ndarray, float]:
    """Run a stream and print a line at each doubling of the rounds: the state at the end, all losses, the seconds."""
    state, losses, seconds = core.start(spec), np.empty(len(y)), 0.0
    print(f"{'round':>8}  {'loss so far':>11}  {'since last':>10}  in the lead")
    done, stop = 0, first
    while done < len(y):
        stop = min(stop, len(y))
        begin = time.perf_counter()
        state, outcome = core.advance_in_place(spec, state, X[done:stop], y[done:stop, None])
        seconds += time.perf_counter() - begin
        losses[done:stop] = outcome.losses
        leader = int(state.probabilities.argmax())
        print(
            f"{stop:8,}  {losses[:stop].mean():11.4f}  {outcome.losses.mean():10.4f}  "
            f"{spec.kernels[leader]} ({state.probabilities[leader]:.0%})"
        )
        done, stop = stop, 2 * stop
    return state, losses, seconds


def _compile() -> None:
    print("Compiling (once; later starts take it from the cache) ...", flush=True)
    begin = time.perf_counter()
    for loss in ("square", "logistic"):
        spec = Specification("rf-oks++", loss, 2)
        core.advance_in_place(spec, core.start(spec), np.zeros((1, 2)), np.ones((1, 1)))
    KernelRegressor(random_state=0).progressive_fit(np.zeros((10, 2)), np.zeros(10))
    print(f"... {time.perf_counter() - begin:.1f} s")


def _synthetic() -> None:
    X, y = waves(ROUNDS, 2, TRUE_WIDTH)
    print(f"\nA stream made by a smooth function of width {TRUE_WIDTH}; rf-oks++ chooses among six Gaussian kernels.")
    print("In each round it evaluates one kernel only, and learns from that one loss.\n")
    spec = Specification("rf-oks++", "square", 2, n_features=200, radius=3.0)
    state, _, seconds = watch(spec, X, y, 1024)
    won = spec.kernels[int(state.probabilities.argmax())]
    print(f"\nPicked {won}, the truth is width {TRUE_WIDTH}. {1e6 * seconds / ROUNDS:.1f} microseconds a round.")
    print("Each kernel alone, for comparison (mean loss over the last quarter):")
    for width in DEFAULT_WIDTHS:
        alone = Specification("rf-oks++", "square", 2, (Gaussian(width),), n_features=200, radius=3.0)
        _, outcome = core.advance_in_place(alone, core.start(alone), X, y[:, None])
        last = outcome.losses[-ROUNDS // 4 :].mean()
        print(f"  width {width:<5} {last:.4f}  {'#' * min(60, round(last * 3000))}")


def _tumours() -> tuple[np.ndarray, np.ndarray]:
    from sklearn.datasets import load_breast_cancer

    data = load_breast_cancer()
    order = np.random.default_rng(0).permutation(len(data.target))
    return data.data[order], np.where(data.target[order] == 1, 1.0, -1.0)


def _real() -> None:
    X, y = _tumours()
    X = to_range(X, -1, 1)
    size = f"{len(y)} breast tumours, {X.shape[1]} measurements"
    print(f"\nReal data: {size}, one pass, each predicted before it is learned.\n")
    spec = Specification("rf-oks++", "logistic", X.shape[1], n_features=200, settings="published")
    watch(spec, X, y, 64)
    _, outcome = core.advance_in_place(spec, core.start(spec), X, y[:, None])
    wrong = np.where(outcome.predictions[:, 0] >= 0, 1, -1) != y
    late = wrong[len(y) // 2 :].mean()
    print(f"\n{wrong.sum()} of {len(y)} wrong ({wrong.mean():.1%}); in the second half {late:.1%}.")


def _auto() -> None:
    print('\nThe default of the estimators, algorithm="auto", on the same two streams, raw and without parameters:\n')
    X, y = waves(ROUNDS, 2, TRUE_WIDTH)
    model, begin = KernelRegressor(random_state=0), time.perf_counter()
    said = model.progressive_fit(X, y)
    last = ((said - y) ** 2)[-ROUNDS // 4 :].mean()
    micro = 1e6 * (time.perf_counter() - begin) / ROUNDS
    print(f"  waves:   mean loss over the last quarter {last:.5f}, {micro:.0f} microseconds a round,")
    print(f"           {model.kernels_[int(model.probabilities_.argmax())]} in the lead")
    X, y = _tumours()
    wrong = KernelClassifier(random_state=0).progressive_fit(X, y, classes=[-1, 1]) != y
    late = wrong[len(y) // 2 :].mean()
    print(f"  tumours: {wrong.sum()} of {len(y)} wrong ({wrong.mean():.1%}); in the second half {late:.1%}")
