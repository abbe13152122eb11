"""What it costs in error that fits run beside the rounds, as with a time budget: python spreading.py [names] ...

"auto" at its usual size with two hypotheses a round: all fits at once, and spread, on permutations of the paper's
datasets (KERNELPICK_DATA). The gap is that between the paper's best result and gradient boosting fitted offline, which
docs/auto.md has.
"""

import argparse
from dataclasses import replace
from itertools import pairwise

import numpy as np

from kernelpick import KernelClassifier, KernelRegressor, parameters
from kernelpick.budget.calibration import evenly
from kernelpick.lab.datasets.prepared import dataset
from kernelpick.online.model import Model

# the paper's best, and gradient boosting: mean squared errors, or shares of wrong labels
GAPS = {
    "elevators": (0.0046, 0.00122),
    "bank": (0.0205, 0.0101),
    "ailerons": (0.0089, 0.0019),
    "Hardware": (0.0008, 0.00009),
    "phishing": (0.0780, 0.033),
    "magic04": (0.179, 0.119),
    "SUSY": (0.278, 0.206),
    "a9a": (0.166, 0.149),
}
STRETCHES = (0, 512, 2000, None)


def errors(name: str, spread: bool, rows: int, permutation: int) -> np.ndarray:
    """Of each row, before its label is used."""
    data = dataset(name)
    classifies = set(np.unique(data.y)) == {-1.0, 1.0}
    order = np.random.default_rng(permutation).permutation(len(data.y))[:rows]
    X, Y = np.ascontiguousarray(data.X[order], dtype=float), data.y[order, None].astype(float)
    face = (KernelClassifier if classifies else KernelRegressor)(hypotheses=2.0)
    plan = parameters.plan(face.get_params(deep=False), classifies, X.shape[1], 1, seed=permutation)
    if spread:  # with half of the pairs until the last of the first fits, as with a budget
        plan = replace(evenly(plan, 1), features=plan.specification.n_features, columns=X.shape[1])
    said = Model(plan).learn(X, Y).in_units()
    return np.asarray((said >= 0) != (Y > 0) if classifies else (said - Y) ** 2, dtype=float)[:, 0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=list(GAPS), help="datasets (all eight)")
    parser.add_argument("--rows", type=int, default=20_000, help="the first so many (20,000)")
    parser.add_argument("--permutations", type=int, default=3, help="of the rows (3)")
    options = parser.parse_args()
    lost = []
    for name in options.names:
        means = []
        for spread in (False, True):
            every = np.array([errors(name, spread, options.rows, seed) for seed in range(options.permutations)])
            means.append(every.mean())
            parts = [every[:, a:b].mean() for a, b in pairwise(STRETCHES)]
            told = ", ".join(f"{part:.6f}" for part in parts)
            what = "spread" if spread else "at once"
            print(f"{name:10} {what:8} {means[-1]:.6f}; rows to 512, to 2,000, and later: {told}", flush=True)
        best, boosting = GAPS[name]
        closed = [(best - mean) / (best - boosting) for mean in means]
        lost.append(closed[0] - closed[1])
        print(f"{name:10} closes {closed[0]:.1%} and {closed[1]:.1%} of the gap")
    print(f"Spreading costs {100 * np.mean(lost):.1f} points of the gap on average, {100 * max(lost):.1f} at most.")


if __name__ == "__main__":
    main()
