"""The folder that a command writes to: work that can be resumed, and texts that are complete or not there at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def resumable(folder: Path) -> Iterator[None]:
    """Work whose interruption is told with what can be done about it."""
    try:
        yield
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            f"Interrupted: what is done is kept in {folder}, and the same command goes on."
        ) from None


def write(path: Path, text: str) -> None:
    """A text file, complete or not at all."""
    partial = path.with_name(f".{path.name}.partial")
    try:
        partial.write_text(text, encoding="utf-8")
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
