"""A line of the table that make bench prints."""

from typing import NamedTuple


class Line(NamedTuple):
    work: str
    measured: float | None  # None: there is no peer or compiler here
    bar: float
    unit: str
    share: float | None = None  # of the core's peak (see peak.py), where rounds are played
