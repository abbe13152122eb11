"""How a command ends. docs/run.md has the list."""

import signal
from typing import ClassVar

DONE, REFUSED, BAD_ROW, UNREAD = 0, 2, 3, 141


def code_of(number: int) -> int:
    """What a shell shows of a process that a signal has ended: 130 for SIGINT, 143 for SIGTERM."""
    return 128 + number


class BadRow(ValueError):
    """A row that can't be read, or has no target that can be learned; what comes before it is learned and saved, or
    predicted and written."""

    exit_code: ClassVar[int] = BAD_ROW


class Interruption(BaseException):
    """A signal that came while the next rows were waited for."""


def told(number: int) -> str:
    return signal.Signals(number).name
