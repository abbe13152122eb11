"""Ten million rounds of a learner that forgets: its matrix stays positive definite, and bounded where no row comes.

    python tests/soak_forgetting.py --rounds 10000000

The stream has stretches in which it stands still, in which a column is always zero, and in which targets are wild.
After every stretch the eigenvalues of P are looked at, and what is predicted must be finite. With P = prior I at the
start and a ridge that does not fade, no direction is more than some times as unsure as before the first row.
"""

import argparse

import numpy as np

from kernelpick import KernelRegressor
from kernelpick.core.numerics.panels import dense

STRETCH = 100_000
FORGETTING = (0.999, 0.98, 0.9)
MOST = 100.0  # times the prior: the ridge comes back in turns, and loses less than that in between


def stretch(number: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Rows as usual; then all alike; then with a column of zeros; then with a target of a million now and then."""
    X = rng.normal(size=(STRETCH, 2))
    kind = number % 4
    if kind == 1:
        X[:] = X[0]
    if kind == 2:
        X[:, 1] = 0.0
    y = np.sin(X[:, 0]) + X[:, 1] + 0.1 * rng.normal(size=STRETCH)
    if kind == 3:
        y[::1000] = 1e6
    return X, y


def go(forgetting: float, rounds: int) -> None:
    rng = np.random.default_rng(0)
    model = KernelRegressor(kernels=[1.0], n_features=4, forgetting=forgetting, companions=(), random_state=0)
    smallest, largest = np.inf, 0.0
    for number in range(max(1, rounds // STRETCH)):
        X, y = stretch(number, rng)
        model.partial_fit(X, y)
        learner = model._model.state.learner
        values = np.linalg.eigvalsh(dense(learner.P[0])) / learner.prior
        smallest, largest = min(smallest, values[0]), max(largest, values[-1])
        assert values[0] > 0.0, f"after {model.n_rounds_:,} rounds P has the eigenvalue {values[0]:.3g} times the prior"
        assert values[-1] < MOST, f"after {model.n_rounds_:,} rounds P has grown to {values[-1]:.3g} times the prior"
        assert np.isfinite(model.predict(X[:100])).all()
    between = f"P between {smallest:.2g} and {largest:.2g} times the prior"
    print(f"forgetting {forgetting}: {model.n_rounds_:,} rounds, {between}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=10_000_000)
    given = parser.parse_args()
    for forgetting in FORGETTING:
        go(forgetting, given.rounds)
