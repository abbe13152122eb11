"""Warnings that name the line of the program which called the package, however deep in it they arise."""

import sys
import warnings
from types import FrameType

OURS = __name__.partition(".")[0]


def warn(text: str, category: type[Warning] = UserWarning) -> None:
    """As warnings.warn."""
    level, frame = 1, sys._getframe()
    above: FrameType | None = frame
    while above is not None and above.f_globals.get("__name__", "").partition(".")[0] == OURS:
        above, level = above.f_back, level + 1
    warnings.warn(text, category, stacklevel=level)
