"""Writes the model files of a format version: run once, before the release that introduces it."""

import json
from pathlib import Path

import numpy as np

from kernelpick import KernelClassifier, KernelRegressor, Laplacian
from kernelpick.files.container import VERSION

HERE = Path(__file__).parent


def main() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    labels = np.where(X[:, 0] > 0.5, "a", np.where(X[:, 1] > 0, "b", "c"))
    regressor = KernelRegressor("oks++", kernels=[1.0, Laplacian(2.0)], random_state=0)
    regressor.partial_fit(X, 7 + 5 * np.sin(X[:, 0]))
    regressor.ask(X[0])
    classifier = KernelClassifier(n_features=8, random_state=0).fit(X, labels)
    rows = rng.normal(size=(5, 3))
    for name, model, values in (
        ("regressor", regressor, regressor.predict(rows)),
        ("classifier", classifier, classifier.decision_function(rows)),
    ):
        model.save(HERE / f"{name}-{VERSION}.kpick")
        about = {"rows": rows.tolist(), "values": values.tolist(), "n_rounds": model.n_rounds_}
        (HERE / f"{name}-{VERSION}.json").write_text(json.dumps(about))


if __name__ == "__main__":
    main()
