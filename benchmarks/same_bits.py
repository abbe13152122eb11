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

# Places whose bits are not those of BASE, and why: (pattern of names, a sentence). No other base is excused.
OFFSETS = "A class that joins late learns an offset, which is part of what is said."
UNTIL_THE_FIT = "Columns that come before the last fit are unknown until then; they counted as zero."
CHANGED: list[tuple[str, str]] = [
    ("*/whole auto/*", "Beside the kernels are memories, a line, trees and a learned metric; matrices are smaller."),
    ("forgetting/*", "Rows lose their weight one by one, and not whenever they have to lose a third of it."),
    ("*/proba", "Probabilities are calibrated."),
    ("river/*/chances", "The same; before there are kernels, they are frequencies of the classes."),
    ("late classes/logistic/*/said", OFFSETS),
    ("late classes/logistic/*/decision/*", OFFSETS),
    ("late classes/logistic/*/predict/*", OFFSETS),
    ("river/auto/four/[!l]*/said", f"{OFFSETS} Between the first fits, classes are late."),
    ("late classes/squared_hinge/auto/580/*", "Where few of the first rows are of other classes, all kernels play on."),
    ("river/*/late columns/*", "Late columns are scaled by their own values, and absent keys are missing values."),
    ("river/auto/column by column/*", UNTIL_THE_FIT),
    ("frames/river/auto/*", UNTIL_THE_FIT),
    ("divergence/raker/arms", "Where all arms play no arm is named, also in a run that ends with an overflow."),
    ("divergence/raker/probabilities", "The same for its probability."),
]


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", default=BASE, help=f"the revision to compare with ({BASE})")
    parser.add_argument("--only", nargs="*", default=[], help="some of the cases of dump.py, by name")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        old, new = (dumped(tree, Path(folder), options.only) for tree in (checked_out(options.base), ROOT))
    changed = CHANGED if options.base == BASE else []
    reasons = {pattern: 0 for pattern, _ in changed}
    wrong = 0
    for name in sorted(old.keys() | new.keys()):
        if name not in old or name not in new:
            text: str | None = f"only in {'the working tree' if name in new else options.base}"
        else:
            text = difference(old[name], new[name])
        if text is None:
            continue
        meant = [pattern for pattern in reasons if fnmatchcase(name, pattern)]
        for pattern in meant:
            reasons[pattern] += 1
        wrong += not meant
        print(f"{name}: {text}{' (meant)' if meant else ''}")
    for pattern, sentence in changed:
        print(f"{pattern}: {reasons[pattern]} arrays changed. {sentence}")
    print(f"{len(old)} arrays of {options.base}, {len(new)} of the working tree: {wrong} differ that should not.")
    stale = not options.only and not all(reasons.values())
    if stale:
        print("A place in CHANGED has not changed: strike it out.")
    sys.exit(bool(wrong or stale))


if __name__ == "__main__":
    main()
