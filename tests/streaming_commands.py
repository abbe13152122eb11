"""What tests of `kernelpick run` share: a command in process, and small streams."""

import json
from pathlib import Path

import numpy as np

from kernelpick import cli

QUICK = ("--algorithm", "rf-oks++", "--features", "8")


def run(*arguments, quick=True):
    return cli.main(["run", *map(str, arguments), *(QUICK if quick else ())])


def events(text: str) -> dict[str, list[dict]]:
    """Lines of JSON, by the kind of event."""
    found: dict[str, list[dict]] = {}
    for line in text.splitlines():
        told = json.loads(line)
        found.setdefault(told["event"], []).append(told)
    return found


def write_numbers(path: Path, rows: int = 600, seed: int = 0) -> Path:
    """Two inputs, a city, and y, which follows from them."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 2))
    y = X[:, 0] + np.sin(2 * X[:, 1])
    cities = rng.choice(["Bonn", "Kiel"], rows)
    lines = [f"{a:.6f},{b:.6f},{c},{t:.6f}" for (a, b), c, t in zip(X.tolist(), cities, y.tolist(), strict=True)]
    path.write_text("\n".join(["a,b,city,y", *lines, ""]), encoding="utf-8")
    return path


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a folder but for the checkpoint before the last one, and locks, which are empty."""
    own = [path for path in sorted(folder.iterdir()) if path.suffix not in (".previous", ".lock")]
    return {path.name: path.read_bytes() for path in own}


def frame_of(path):
    import pandas

    return pandas.read_csv(path)
