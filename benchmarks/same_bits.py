"""Does the code as it is compute the same bits as that of another revision? python same_bits.py [--base REVISION]

dump.py runs under both source trees, one after the other on this machine; every array is compared byte for byte. Exit
code 1 if any differs that is not named in CHANGED.
"""

import argparse
import sys
import tempfile
from fnmatch import fnmatchcase
from pathlib import Path

import numpy as np
from revisions import ROOT, checked_out, python

BASE = "adc868e"  # the revision whose bits the redesign keeps

# Places whose bits the mend of a fault changes, and why: (pattern of names, a sentence).
CHANGED: list[tuple[str, str]] = [
    (
        "*/chances",
        "Before there are kernels, probabilities are frequencies of the classes, not a sigmoid of a mean.",
    ),
    ("divergence/raker/arms", "Where all arms play no arm is named, also in a run that ends with an overflow."),
    ("divergence/raker/probabilities", "The same for its probability."),
    ("river/*/late columns/*", "Late columns are scaled by their own values, and absent keys are missing values."),
    ("river/*/column by column/*", "The same: each of them comes late."),
    ("frames/river/*", "The same: two columns come late."),
    ("wide/1001/*", "With more than 1,000 columns auto has another learner, and keeps zeros."),
    ("*/proba", "Probabilities are calibrated."),
    ("late classes/*", "A class that joins late learns an offset, which is part of what is said."),
    ("*/loss_", "Losses are those of what was said, and nothing negative is said where no target was."),
]
RAISED = "a negative prediction that is now 0"  # as above: meant wherever it is all there is


def dumped(tree: Path, folder: Path, only: list[str]) -> dict[str, np.ndarray]:
    out = folder / "dump.npz"
    told = python(tree, str(Path(__file__).with_name("dump.py")), str(out), *(["--only", *only] if only else []))
    print(told.stdout, end="")
    with np.load(out, allow_pickle=False) as arrays:
        return dict(arrays)


def difference(old: np.ndarray, new: np.ndarray) -> str | None:
    """How two arrays differ, to the last bit; None if they do not."""
    if (old.dtype, old.shape) != (new.dtype, new.shape):
        return f"{old.dtype}{list(old.shape)} has become {new.dtype}{list(new.shape)}"
    if old.tobytes() == new.tobytes():
        return None
    before, after = np.atleast_1d(old).ravel(), np.atleast_1d(new).ravel()
    size = before.dtype.itemsize
    bits = [np.frombuffer(array.tobytes(), np.uint8).reshape(-1, size) for array in (before, after)]
    apart = np.flatnonzero((bits[0] != bits[1]).any(1))
    where = [int(i) for i in np.unravel_index(apart[0], np.atleast_1d(old).shape)]
    was, is_now = before[apart[0]], after[apart[0]]
    text = f"{len(apart)} of {len(before)} differ, the first at {where}: {was!r} is now {is_now!r}"
    if before.dtype.kind == "f":
        with np.errstate(invalid="ignore", over="ignore"):
            text += f"; the largest difference is {np.nanmax(np.abs(after - before)[apart], initial=0.0):.3g}"
    return text


def is_raised(old: dict[str, np.ndarray], new: dict[str, np.ndarray], name: str) -> bool:
    """Whether all that differs are negative numbers that have become 0."""
    if name not in old or name not in new or old[name].shape != new[name].shape or old[name].dtype.kind != "f":
        return False
    differ = ~((old[name] == new[name]) | (np.isnan(old[name]) & np.isnan(new[name])))
    return bool((old[name][differ] < 0).all() and (new[name][differ] == 0).all())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", default=BASE, help=f"the revision to compare with ({BASE})")
    parser.add_argument("--only", nargs="*", default=[], help="some of the cases of dump.py, by name")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        old, new = (dumped(tree, Path(folder), options.only) for tree in (checked_out(options.base), ROOT))
    reasons = {pattern: 0 for pattern, _ in CHANGED}
    wrong = 0
    for name in sorted(old.keys() | new.keys()):
        if name not in old or name not in new:
            text: str | None = f"only in {'the working tree' if name in new else options.base}"
        else:
            text = difference(old[name], new[name])
        if text is None:
            continue
        meant = [pattern for pattern in reasons if fnmatchcase(name, pattern)] or [RAISED] * is_raised(old, new, name)
        for pattern in meant:
            reasons[pattern] = reasons.get(pattern, 0) + 1
        wrong += not meant
        print(f"{name}: {text}{' (meant)' if meant else ''}")
    for pattern, sentence in CHANGED:
        print(f"{pattern}: {reasons[pattern]} arrays changed. {sentence}")
    print(f"{len(old)} arrays of {options.base}, {len(new)} of the working tree: {wrong} differ that should not.")
    stale = not options.only and not all(reasons.values())
    if stale:
        print("A place in CHANGED has not changed: strike it out.")
    sys.exit(bool(wrong or stale))


if __name__ == "__main__":
    main()
