"""Speed beside another revision, in one run: python beside.py [--base REVISION] [--turns 3] [--sections engine ...]

Each revision runs its own benchmarks in a process of its own, in turn, so that a slow moment of the machine hits both.
Of every line the least of all turns is kept. The last lines are CPU seconds of processes that start with an empty cache
of compiled code. All figures are better if lower; the last column is new/old.
"""

import argparse
import json
import resource
import sys
import tempfile
from pathlib import Path

from revisions import ROOT, checked_out, python
from rich.console import Console
from rich.table import Table

BASE = "adc868e"
SECTIONS = ("engine", "estimators", "second_order")
MOST = 1.05  # what a line may take of the other revision's time
MOST_COMPILING = 0.75

LINES = """
import importlib, json, sys
print(json.dumps([(line[0], line[1], line[3]) for line in importlib.import_module(sys.argv[1]).rows()]))
"""
AUTO = """
import numpy as np, kernelpick
X = np.random.default_rng(0).normal(size=(600, 5))
kernelpick.KernelRegressor(random_state=0).partial_fit(X, X[:, 0]).predict(X)
"""
EIGHT = """
import numpy as np, kernelpick
X, y = np.random.default_rng(0).random((20, 3)), np.resize([-1.0, 1.0], 20)
for name in ("oks", "oks++", "ioks", "rf-oks", "rf-oks++", "rf-ioks", "raker", "lkmbooks"):
    for loss in ("logistic", "square", "squared_hinge", "absolute", "hinge", "huber"):
        if not (name.endswith("++") and loss in ("absolute", "hinge")):
            kernelpick.trace(name, X, y, loss=loss)
"""
COMPILING = {"compiling auto: 600 rows and a prediction": AUTO, "compiling the paper's eight, all losses": EIGHT}
Line = tuple[str, str]  # section, work
Figures = dict[Line, float]


def measured(tree: Path, section: str) -> Figures:
    """The lines of a section of a revision's own benchmarks; those that it leaves out are not there."""
    path = f"{tree / 'src'}:{tree / 'benchmarks'}"
    told = python(tree, "-c", LINES, section, PYTHONPATH=path).stdout
    return {(section, work): value for work, value, _ in json.loads(told) if value is not None}


def compiling(tree: Path) -> Figures:
    """CPU seconds, user and system, of a process that compiles all it needs."""
    found = {}
    for work, program in COMPILING.items():
        with tempfile.TemporaryDirectory() as folder:
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            python(tree, "-c", program, NUMBA_CACHE_DIR=folder)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found["compiling", work] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return found


def least(turns: list[Figures]) -> Figures:
    return {line: min(turn[line] for turn in turns) for line in turns[0]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", default=BASE, help=f"the revision to compare with ({BASE})")
    parser.add_argument("--turns", type=int, default=3, help="how often each revision runs (3)")
    parser.add_argument("--sections", nargs="*", default=[*SECTIONS, "compiling"], help="some of the sections")
    options = parser.parse_args()
    trees = {"old": checked_out(options.base), "new": ROOT}
    table = Table(title=f"{options.base} and the working tree, the least of {options.turns} turns (lower is better)")
    for heading in ("section", "work", "old", "new", "new/old", ""):
        table.add_column(heading, justify="right" if heading in ("old", "new", "new/old") else "left")
    kept, over = [], 0
    for section in options.sections:
        turns: dict[str, list[Figures]] = {which: [] for which in trees}
        for turn in range(options.turns):
            for which, tree in list(trees.items())[:: -1 if turn % 2 else 1]:  # neither is always the first
                turns[which].append(compiling(tree) if section == "compiling" else measured(tree, section))
        old, new = least(turns["old"]), least(turns["new"])
        for line in [*old, *(line for line in new if line not in old)]:
            one, other = old.get(line), new.get(line)
            ratio = (
                None if one is None or other is None else 1.0 if one == other else other / one if one else float("inf")
            )
            bar = MOST_COMPILING if section == "compiling" else MOST
            mark = "only in one of them" if one is None or other is None else ""
            if ratio is not None and ratio > bar:
                over, mark = over + 1, f"over {bar}"
            table.add_row(*line, *("" if x is None else f"{x:.3g}" for x in (one, other, ratio)), mark)
            kept.append({"section": section, "work": line[1], "old": one, "new": other, "ratio": ratio})
    Path(ROOT / "build" / "beside.json").write_text(json.dumps(kept, indent=1) + "\n")
    Console(width=150).print(table)
    sys.exit(over > 0)


if __name__ == "__main__":
    main()
