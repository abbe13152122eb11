"""What the library computes, through its public interface alone, as arrays in one .npz: python dump.py OUT.

same_bits.py runs it under two source trees and compares the files byte for byte. It knows no module of the package but
those that users import, so that it runs on any revision.
"""

import argparse
import warnings

import dump_estimators
import dump_river
import dump_traces
import numpy as np
from dump_cases import CASES

PARTS = dump_traces, dump_estimators, dump_river  # each adds its cases to the list


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out")
    parser.add_argument("--only", nargs="*", default=[], help=f"of {', '.join(c.__name__ for c in CASES)}")
    options = parser.parse_args()
    arrays: dict[str, np.ndarray] = {}
    warnings.simplefilter("ignore")
    for one in CASES:
        if not options.only or one.__name__ in options.only:
            for name, value in one():
                if name in arrays:
                    raise ValueError(f"{name} is written twice; give one of them another name.")
                arrays[name] = np.array(value)
    np.savez(options.out, **arrays)


if __name__ == "__main__":
    main()
