"""kernelpick demo: `kernelpick run` on a real stream that is at hand, then `inspect`; without network."""

import contextlib
import csv
import tempfile
from pathlib import Path

import numpy as np

from kernelpick.streaming import settings
from kernelpick.streaming.inspect import inspect
from kernelpick.streaming.run import run

NEXT = """Where to go next
  your own stream            kernelpick run FILE --target COLUMN --model model.kpick
  ... or a pipe              zcat log.csv.gz | kernelpick run - --target COLUMN --model model.kpick
  go on after a kill         kernelpick run ... --resume
  what it says to new rows   kernelpick predict model.kpick FILE --interval 0.9
  a page with the plots      kernelpick inspect model.kpick --html model.html
  beside other libraries     kernelpick compare FILE
  the paper's tables         kernelpick reproduce
  in Python                  KernelRegressor().partial_fit(X, y)  or  kernelpick.load("model.kpick")"""


RUN = ["tumours.csv", "--target", "diagnosis", "--model", "tumours.kpick"]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        rows = write_tumours(Path("tumours.csv"))
        print(f"{rows} breast tumours, as they might come into a clinic: 30 measurements of each, and the diagnosis,")
        print("which is predicted before it is learned. One pass over the columns as they are, nothing to tune.\n")
        print(f"$ kernelpick run {' '.join(RUN)}", flush=True)
        run(settings.parsed("run", RUN))
        print("\n$ kernelpick inspect tumours.kpick")
        inspect(settings.parsed("inspect", ["tumours.kpick"]))
    print(NEXT)


def write_tumours(path: Path) -> int:
    """The rows of scikit-learn's copy of the Wisconsin data, in an order without a plan; how many they are."""
    from sklearn.datasets import load_breast_cancer

    data = load_breast_cancer()
    order = np.random.default_rng(0).permutation(len(data.target))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*data.feature_names, "diagnosis"])
        for row in order:
            writer.writerow([*data.data[row].tolist(), data.target_names[data.target[row]]])
    return len(order)
