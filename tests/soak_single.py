"""Single precision over many rounds: python tests/soak_single.py [--rounds 10000000]

Small models of first and of second order play the same endless stream in both precisions. At every tenth of it single
must still be as good as double: rounding that adds up, a sum that stops growing, or a matrix that is no longer positive
would show. Exits with 1 if it is not.
"""

import argparse
import sys
import time

import numpy as np

from kernelpick import Gaussian, core
from kernelpick.core import Specification

INPUTS, PAIRS, BLOCK = 3, 16, 100_000
ALGORITHMS = ("rf-oks++", "rf-ioks", "leader-adagrad", "leader-newton")
WORSE = 1.01  # at most, of a tenth of the stream


def rows(block: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows of a wavy rule with noise; the same ones for everybody."""
    rng = np.random.default_rng(block)
    X = rng.normal(size=(BLOCK, INPUTS))
    return X, (np.sin(2 * X[:, 0]) + 0.5 * X[:, 1] + 0.3 * rng.normal(size=BLOCK))[:, None]


def losses(algorithm: str, precision: str, blocks: int) -> np.ndarray:
    """The mean loss of each block."""
    kernels = (Gaussian(1.0), Gaussian(2.0))
    spec = Specification(algorithm, "square", INPUTS, kernels, n_features=PAIRS, radius=10.0, precision=precision)
    state, found = core.start(spec), []
    for block in range(blocks):
        state, outcome = core.advance_in_place(spec, state, *rows(block))
        found.append(outcome.losses.mean())
    return np.array(found)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=10_000_000)
    parser.add_argument("--algorithms", nargs="*", default=list(ALGORITHMS))
    given = parser.parse_args()
    blocks, failed = max(10, given.rounds // BLOCK), 0
    for algorithm in given.algorithms:
        start = time.process_time()
        double, single = (losses(algorithm, precision, blocks) for precision in ("double", "single"))
        tenths = np.array([part.mean() for part in np.array_split(single / double, 10)])
        good = np.isfinite(single).all() and tenths.max() <= WORSE
        failed += not good
        told = ", ".join(f"{ratio - 1:+.3%}" for ratio in tenths)
        print(f"{algorithm}, {blocks * BLOCK:,} rounds: loss of single beside double in each tenth: {told}", flush=True)
        print(f"  last block {double[-1]:.6g} and {single[-1]:.6g}, {time.process_time() - start:.0f} s", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
