"""A quick comparison, and the rows of its results."""

import csv

QUICK = ["--algorithms", "rf-oks++,raker", "--peers", "constant,sklearn-rbf"]


def rows(folder):
    path = folder / "results.csv"
    return list(csv.DictReader(path.read_text().splitlines())) if path.exists() else []
