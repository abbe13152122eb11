"""The progress bar of much work."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")


@contextmanager
def paced(work: Sequence[T], seconds: Callable[[T], float], noun: str) -> Iterator[Callable[[T], None]]:
    """One bar for the whole, in guessed seconds of work, since pieces take from a hundredth of a second to many."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TextColumn("left"))
    with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True)) as progress:
        total = len(work)
        task = progress.add_task(f"0 of {total} {noun}", total=sum(map(seconds, work)))
        ended = 0

        def advance(piece: T) -> None:
            nonlocal ended
            ended += 1
            progress.update(task, advance=seconds(piece), description=f"{ended} of {total} {noun}")

        yield advance
