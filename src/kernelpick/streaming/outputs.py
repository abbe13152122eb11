"""The two files that a run writes beside the model, opened when the first rows have been understood."""

from pathlib import Path
from typing import Any

from kernelpick.streaming import lines
from kernelpick.streaming.appended import Appended, check_ours
from kernelpick.streaming.checkpoint import Position, check_writable


class OutputFiles:
    def __init__(self, options: Any, position: Position) -> None:
        """New files, or those that go on where a checkpoint says."""
        head = lines.header(options.interval is not None)
        self.predictions = _opened(options.predictions, head, position.predictions, options)
        self.rejects = _opened(options.rejects, lines.REJECTS, position.rejects, options)
        self._all = [file for file in (self.predictions, self.rejects) if file is not None]

    def sync(self, position: Position) -> None:
        """To the disk, and how long they are into a position that may then speak of them."""
        for file in self._all:
            file.sync()
        position.predictions = self.predictions.length if self.predictions else None
        position.rejects = self.rejects.length if self.rejects else None

    def close(self) -> None:
        """Without writing what waits, if it can't be written."""
        for file in self._all:
            file.close()


def _opened(path: str | None, header: bytes, length: int | None, options: Any) -> Appended | None:
    if path is None:
        return None
    place = Path(path)
    if length is None and not options.overwrite:
        check_free(place, header, options.resume)
    return Appended(place, header, length)


def check_free(path: Path, header: bytes, resumes: bool) -> None:
    """Refuse to replace a file that is there, but for one that a killed run has left before its first checkpoint."""
    check_writable(path)
    if not path.exists():
        return
    if not resumes:
        raise ValueError(f"{path} is there already; --overwrite replaces it.")
    check_ours(path, header)


def check_apart(options: Any) -> None:
    """Refuse to write two things into one file, or into the source."""
    given = {"the source": options.source, "--model": options.model, "--from": options.base,
             "--predictions": options.predictions, "--rejects": options.rejects}  # fmt: skip
    seen: dict[Path, str] = {}
    for what, path in given.items():
        if path is None or path == "-":
            continue
        place = Path(path).absolute()
        if place in seen:
            raise ValueError(f"{seen[place]} and {what} are both {path}; give each a file of its own.")
        seen[place] = what
