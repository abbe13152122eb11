"""What is said of a file that cannot be used."""

from __future__ import annotations

import os


class DataError(ValueError):
    """A data file that cannot be used; the message is one sentence: which file and line, what is wrong, what to do."""


def at(path: str | os.PathLike[str], line: int, problem: str) -> DataError:
    """The error for one line of a file, for the caller to raise."""
    return DataError(f"{os.fspath(path)}, line {max(line, 1)}: {problem}.")
