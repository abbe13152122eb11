"""What is known of a file that a library reads: the same that a raw one tells."""

from dataclasses import dataclass
from pathlib import Path

from kernelpick.files.errors import DataError


@dataclass
class Known:
    path: str
    name: str
    size: int | None
    done: int = 0


def known(path: str | None, form: str) -> Known:
    if path is None:
        raise DataError(f"{form} can't be read from standard input, since it is not read in order; name the file.")
    try:
        return Known(path, path, Path(path).stat().st_size)
    except OSError as problem:
        raise DataError(f"{path} cannot be read: {problem.strerror or problem}.") from problem
