"""The eight datasets: one row each, with home, format, target, preprocessing and what a true copy looks like.

Public copies differ in their bytes (packed or not, printed anew), so a file is recognised by its contents: rows,
columns, labels and ranges.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

Range = tuple[float, float]


@dataclass(frozen=True)
class Registered:
    """A dataset and its public home."""

    name: str
    task: Literal["classification", "regression"]
    rows: int
    features: int
    files: tuple[str, ...]
    """Names under which it may be found, each also with .gz; a download is kept under the first."""
    format: str
    """csv (without a header), arff or libsvm."""
    home: str
    """The page that describes it."""
    url: str
    """What is downloaded."""
    megabytes: float
    """Size of the download, roughly."""
    target: int | None = None
    """Column of the target, where the format does not fix it."""
    labels: Mapping[str, float] | None = None
    head: bool = False
    """Only the first `rows` rows of a longer file are used."""
    scaled: bool = True
    """Inputs to [-1, 1] (regression targets always to [0, 1])."""
    members: tuple[str, ...] = ()
    """Path through archives inside the download: the file in the zip, then the file in the tar in it."""
    described: bool = False
    """The url answers with OpenML's description of the dataset, which names the file."""
    inputs: Range | None = None
    """Least and largest input of a true copy."""
    targets: Range | None = None
    """Least and largest target of a true copy (regression)."""
    positives: int | None = None
    """Rows of the class +1 in a true copy (classification)."""


LIBSVM = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets"
UCI = "https://archive.ics.uci.edu"
# OpenML stores a file under a number of its own, which only the description of the dataset tells.
OPENML = "https://www.openml.org"

_ENTRIES = (
    Registered(
        "a9a", "classification", 32_561, 123, ("a9a",), "libsvm",
        f"{LIBSVM}/binary.html#a9a", f"{LIBSVM}/binary/a9a", 2.3,
        labels={"+1": 1.0, "-1": -1.0}, scaled=False, inputs=(0.0, 1.0), positives=7_841,
    ),
    Registered(
        "phishing", "classification", 11_055, 68, ("phishing",), "libsvm",
        f"{LIBSVM}/binary.html#phishing", f"{LIBSVM}/binary/phishing", 3.6,
        labels={"1": 1.0, "0": -1.0}, scaled=False, inputs=(0.0, 0.18257), positives=6_157,
    ),
    Registered(
        "magic04", "classification", 19_020, 10, ("magic04.data",), "csv",
        f"{UCI}/dataset/159/magic+gamma+telescope", f"{UCI}/static/public/159/magic+gamma+telescope.zip", 0.7,
        target=-1, labels={"g": 1.0, "h": -1.0}, members=("magic04.data",),
        inputs=(-457.9161, 575.2407), positives=12_332,
    ),
    Registered(
        # No ranges: which 20,000 rows of the 5,000,000 come first differs between public copies.
        "SUSY", "classification", 20_000, 18, ("SUSY-20000.csv", "SUSY-30000.csv", "SUSY.csv"), "csv",
        f"{UCI}/dataset/279/susy", f"{UCI}/static/public/279/susy.zip", 922,
        target=0, labels={"1": 1.0, "0": -1.0}, head=True, members=("SUSY.csv.gz",),
    ),
    Registered(
        "bank", "regression", 8_192, 32, ("bank32nh.arff",), "arff",
        f"{OPENML}/d/558", f"{OPENML}/api/v1/json/data/558", 2.5,
        target=-1, described=True, inputs=(-0.999998, 33.30109), targets=(0.0, 0.819665),
    ),
    Registered(
        "elevators", "regression", 16_599, 18, ("elevators.arff",), "arff",
        f"{OPENML}/d/216", f"{OPENML}/api/v1/json/data/216", 2.2,
        target=-1, described=True, inputs=(-993.0, 973.0), targets=(0.012, 0.078),
    ),
    Registered(
        "ailerons", "regression", 13_750, 40, ("ailerons.arff",), "arff",
        f"{OPENML}/d/296", f"{OPENML}/api/v1/json/data/296", 3.7,
        target=-1, described=True, inputs=(-975.0, 977.0), targets=(-0.0036, 0.0),
    ),
    Registered(
        "Hardware", "regression", 28_179, 96, ("TomsHardware.data",), "csv",
        f"{UCI}/dataset/248/buzz+in+social+media", f"{UCI}/static/public/248/buzz+in+social+media.zip", 33,
        target=-1, members=("regression.tar.gz", "regression/TomsHardware/TomsHardware.data"),
        inputs=(0.0, 330_561.0), targets=(0.0, 265_916.5),
    ),
)  # fmt: skip

REGISTRY: Mapping[str, Registered] = {entry.name: entry for entry in _ENTRIES}


def lookup(name: str) -> Registered:
    """The row of a dataset by its name."""
    if name in REGISTRY:
        return REGISTRY[name]
    near = get_close_matches(name.lower(), [known.lower() for known in REGISTRY], n=1)
    guess = next((f" Did you mean {known!r}?" for known in REGISTRY if [known.lower()] == near), "")
    raise ValueError(f"There is no dataset {name!r}.{guess} The datasets are {', '.join(REGISTRY)}.")
