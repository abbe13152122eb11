"""How good probabilities and the like are, beside the bars that they are held to: python benchmarks/quality.py [names].

A measurement is a function that yields its lines; MEASUREMENTS is the table of them. The four datasets of the paper are
read as everywhere (KERNELPICK_DATA). docs/uncertainty.md has the figures.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from sklearn.datasets import load_digits
from sklearn.metrics import average_precision_score

from kernelpick import KernelClassifier, KernelRegressor
from kernelpick.lab.datasets.prepared import dataset

BINS = 15
STRAY, LATER = 5_000, 100  # the row of a stray label, and rows after it


class Line(NamedTuple):
    what: str
    value: float
    least: float = -np.inf
    most: float = np.inf

    @property
    def holds(self) -> bool:
        return self.least <= self.value <= self.most

    def __str__(self) -> str:
        bars = [f">= {self.least:g}"] * (self.least > -np.inf) + [f"<= {self.most:g}"] * (self.most < np.inf)
        return f"{self.what:58} {self.value:8.4f}  {' and '.join(bars):10} {'' if self.holds else 'MISSED'}"


def calibration_error(chances: np.ndarray, places: np.ndarray) -> float:
    """The expected calibration error of the class predicted, over bins of equal width."""
    confidence, right = chances.max(1), chances.argmax(1) == places
    bins = np.minimum((confidence * BINS).astype(int), BINS - 1)
    return sum(abs(confidence[bins == b].sum() - right[bins == b].sum()) for b in range(BINS)) / len(places)


def log_loss(chances: np.ndarray, places: np.ndarray) -> float:
    return float(-np.log(np.maximum(chances[np.arange(len(places)), places], 1e-15)).mean())


def ten_classes(rows: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Gaussians in ten dimensions whose centers are a random walk, so that neighbours overlap."""
    rng = np.random.default_rng(seed)
    centers = np.cumsum(rng.normal(size=(10, 10)) * 0.65, axis=0)
    y = rng.integers(10, size=rows)
    return centers[y] + rng.normal(size=(rows, 10)), y


def digits(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    X, y = load_digits(return_X_y=True)
    order = np.random.default_rng(seed).permutation(len(y))
    return X[order], y[order]


def said_before(X: np.ndarray, places: np.ndarray, block: int = 8) -> np.ndarray:
    """Probabilities of all rows, a block of them asked for before it is learned."""
    model, chances = KernelClassifier(random_state=0), []
    classes = np.unique(places)
    model.partial_fit(X[:block], places[:block], classes)
    for start in range(block, len(X), block):
        part = slice(start, start + block)
        chances.append(model.predict_proba(X[part]))
        model.partial_fit(X[part], places[part])
    return np.concatenate([np.full((block, len(classes)), 1 / len(classes)), *chances])


def probabilities() -> Iterator[Line]:
    learned = {"digits": (digits(), 1_200, 0.15), "ten classes": (ten_classes(20_000), 15_000, np.inf)}
    for name, ((X, y), rows, most) in learned.items():
        model = KernelClassifier(random_state=0).partial_fit(X[:rows], y[:rows], np.unique(y))
        chances = model.predict_proba(X[rows:])
        yield Line(f"{name}, rest of the rows: log loss", log_loss(chances, y[rows:]), most=most)
        yield Line(f"{name}: expected calibration error", calibration_error(chances, y[rows:]), most=0.05)
        yield Line(f"{name}: share right", float((chances.argmax(1) == y[rows:]).mean()))
    losses = []
    for seed in range(1, 8):  # the calibration was chosen with a look at permutation 0
        X, y = digits(seed)
        model = KernelClassifier(random_state=seed).partial_fit(X[:1_200], y[:1_200], range(10))
        losses.append(log_loss(model.predict_proba(X[1_200:]), y[1_200:]))
    yield Line("digits, seven other permutations: mean log loss", float(np.mean(losses)), most=0.15)
    yield Line("digits, seven other permutations: worst log loss", max(losses))
    for name in ("phishing", "a9a"):
        data = dataset(name)
        order = np.random.default_rng(0).permutation(len(data.y))
        X, y = data.X[order], (data.y[order] > 0).astype(int)
        chances = said_before(X, y)
        yield Line(f"{name}, progressive: log loss", log_loss(chances, y))
        yield Line(f"{name}: expected calibration error", calibration_error(chances, y), most=0.05)
        yield Line(f"{name}: share right", float((chances.argmax(1) == y).mean()))


def stray_label() -> Iterator[Line]:
    X, y = ten_classes(STRAY + LATER + 1_000)
    model = KernelClassifier(random_state=0, new_classes="accept").partial_fit(X[:STRAY], y[:STRAY])
    model.partial_fit(X[STRAY : STRAY + 1], [99])
    later = slice(STRAY + 1, STRAY + 1 + LATER)
    model.partial_fit(X[later], y[later])
    largest = float(model.predict_proba(X[-1_000:])[:, -1].max())
    yield Line("a stray label 100 rows ago: its largest probability", largest, most=0.25)


def windows(covered: np.ndarray) -> tuple[float, float]:
    """The least and the most that is covered in any window of 2,000 rows, after the first 1,000."""
    sums = np.cumsum(np.concatenate([[0], covered[1_000:]]))
    shares = (sums[2_000:] - sums[:-2_000]) / 2_000
    return float(shares.min()), float(shares.max())


def in_order(name: str) -> tuple[np.ndarray, np.ndarray]:
    data = dataset(name)
    order = np.random.default_rng(0).permutation(len(data.y))
    return data.X[order], data.y[order]


def two_sides(rows: int = 16_000) -> tuple[np.ndarray, np.ndarray]:
    """The noise is 0.1 on one side and 0.6 on the other."""
    rng = np.random.default_rng(1)
    X = rng.uniform(-1, 1, (rows, 3))
    noise = np.where(X[:, 0] < 0, 0.1, 0.6) * rng.normal(size=rows)
    return X, np.sin(3 * X[:, 1]) + X[:, 2] + noise


def intervals(block: int = 8) -> Iterator[Line]:
    streams = {name: (in_order(name), 1.1) for name in ("elevators", "bank", "ailerons", "Hardware")}
    for name, ((X, y), most) in (streams | {"two sides": (two_sides(), 0.85)}).items():
        model, ends = KernelRegressor(random_state=0).partial_fit(X[:block], y[:block]), []
        for start in range(block, len(y), block):
            ends.append(model.predict_interval(X[start : start + block]))
            model.partial_fit(X[start : start + block], y[start : start + block])
        lower, upper = np.concatenate(ends).T
        truth = y[block:]
        least, largest = windows((lower <= truth) & (truth <= upper))
        yield Line(f"{name}: coverage of 0.9 intervals, lowest window", least, least=0.86)
        yield Line(f"{name}: highest window", largest, most=0.94)
        best = np.quantile(abs(truth - 0.5 * (lower + upper))[1_000:], 0.9)
        yield Line(
            f"{name}: width, of the best constant one", float((upper - lower)[1_000:].mean() / 2 / best), most=most
        )


def sets(block: int = 8) -> Iterator[Line]:
    for name in ("phishing", "a9a", "magic04", "SUSY"):
        X, y = in_order(name)
        X, places = X[:30_000], (y[:30_000] > 0).astype(int)
        model, within = KernelClassifier(random_state=0).partial_fit(X[:block], places[:block], [0, 1]), []
        for start in range(block, len(places), block):
            within.append(model.predict_set(X[start : start + block]))
            model.partial_fit(X[start : start + block], places[start : start + block])
        members, truth = np.concatenate(within), places[block:]
        least, largest = windows(members[np.arange(len(truth)), truth])
        yield Line(f"{name}: coverage of 0.9 sets, lowest window", least, least=0.86)
        yield Line(f"{name}: highest window", largest, most=0.94)
        yield Line(f"{name}: classes in a set", float(members[1_000:].sum(axis=1).mean()))


def bumps(rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """One row in a hundred lies in one of two Gaussian bumps in a uniform square."""
    rng = np.random.default_rng(seed)
    y = (rng.random(rows) < 0.01).astype(int)
    centers = np.array([[0.3, 0.35], [0.7, 0.6]])[rng.integers(2, size=rows)]
    return np.where(y[:, None] == 1, centers + 0.008 * rng.normal(size=(rows, 2)), rng.random((rows, 2))), y


def rare_classes() -> Iterator[Line]:
    """Eight orders of one stream; and the same with so many rows first that none of the first 600 is positive."""
    (X, y), (fresh, truth) = bumps(20_000, 123), bumps(40_000, 10**6)

    def precision(order: np.ndarray, seed: int, hypotheses: float) -> float:
        model = KernelClassifier(random_state=seed, hypotheses=hypotheses).partial_fit(X[order], y[order], [0, 1])
        return float(average_precision_score(truth, model.decision_function(fresh)))

    for what, late in (("", 0), (", none in 600 rows", 600)):
        found = {1.3: [], 5.0: []}
        for seed in range(8):
            order = np.random.default_rng(seed).permutation(len(y))
            first = np.flatnonzero(y[order] == 0)[:late]
            order = np.concatenate([order[first], np.delete(order, first)])
            for hypotheses, scores in found.items():
                scores.append(precision(order, seed, hypotheses))
        means = {hypotheses: float(np.mean(scores)) for hypotheses, scores in found.items()}
        yield Line(f"1 % positives{what}: average precision of auto", means[1.3], least=means[5.0] - 0.02)
        yield Line(f"1 % positives{what}: the worst of eight orders", min(found[1.3]))
        yield Line(f"1 % positives{what}: all kernels in every round", means[5.0])


MEASUREMENTS: dict[str, Callable[[], Iterator[Line]]] = {
    "probabilities": probabilities,
    "stray-label": stray_label,
    "intervals": intervals,
    "sets": sets,
    "rare-classes": rare_classes,
}


def main() -> int:
    parser = argparse.ArgumentParser(description="Print measurements beside their bars.")
    parser.add_argument("names", nargs="*", help=f"of {', '.join(MEASUREMENTS)}; all of them by default")
    names, missed = parser.parse_args().names or list(MEASUREMENTS), 0
    unknown = [name for name in names if name not in MEASUREMENTS]
    if unknown:
        parser.error(f"there is no measurement {unknown[0]!r}: there are {', '.join(MEASUREMENTS)}.")
    for name in names:
        for line in MEASUREMENTS[name]():
            print(line, flush=True)
            missed += not line.holds
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
