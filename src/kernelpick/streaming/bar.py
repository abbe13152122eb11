"""A progress bar on standard error, where that is a terminal and the length of the source is known."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any


@contextmanager
def bar(source: Any, wanted: bool) -> Iterator[Callable[[], None]]:
    """What is called when some rows are done."""
    if not wanted or not sys.stderr.isatty() or source.size is None or find_spec("rich") is None:
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    piped = not sys.stdout.isatty()  # then the table is no part of what the bar moves over
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=not piped) as progress:
        task = progress.add_task(source.name, total=source.size)
        yield lambda: progress.update(task, completed=source.done)
