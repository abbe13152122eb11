"""The progress bar of a download: what pooch asks of one, drawn by rich on standard error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


class Bar:
    """The four things pooch does with a bar: set `total`, `update`, `reset`, `close`."""

    def __init__(self, progress: Progress, task: TaskID) -> None:
        self._progress, self._task = progress, task

    @property
    def total(self) -> int:
        """Bytes to come, 0 if the server did not say."""
        return int(self._progress.tasks[0].total or 0)

    @total.setter
    def total(self, size: int) -> None:
        self._progress.update(self._task, total=size or None)

    def update(self, size: int) -> None:
        """So many bytes more."""
        self._progress.update(self._task, advance=size)

    def reset(self) -> None:
        """Back to nothing; pooch then fills the bar, since its counts are of whole chunks."""
        self._progress.update(self._task, completed=0)

    def close(self) -> None:
        """Nothing: the bar ends with its `with` block, in failure too."""


@contextmanager
def bar(label: str) -> Iterator[Bar]:
    """A bar for one download."""
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        yield Bar(progress, progress.add_task(label, total=None))
