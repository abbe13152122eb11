"""summary.csv: every entrant in every case."""

from __future__ import annotations

import csv
import io

from kernelpick.lab.regret.book import Book
from kernelpick.lab.regret.entrants import Entrant
from kernelpick.lab.regret.measure import Line, line
from kernelpick.lab.regret.plays import Case
from kernelpick.lab.regret.table import Plans


def as_csv(plans: Plans, book: Book) -> str:
    """A line each."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["stream", "loss", "horizon", "kernels", "features", "radius", "algorithm", "regret",
                     "standard_error", "regret_in_features", "best", "gap", "bound", "seconds_per_round",
                     "error"])  # fmt: skip
    for plan in plans.values():
        for case in plan.cases:
            for entrant in plan.entrants_of(case):
                writer.writerow(_csv_row(case, entrant, line(case, entrant, plan, book)))
    return text.getvalue()


def _csv_row(case: Case, entrant: Entrant, one: Line) -> list[object]:
    boxed = "" if one.boxed is None else repr(float(one.boxed.mean()))
    numbers = (one.best, one.gap, one.bound, one.seconds, one.wrong)
    told = [
        case.stream.name,
        *case[1:-1],
        case.radius_of(entrant),
        entrant.name,
        repr(one.mean),
        repr(one.error),
        boxed,
    ]
    return [*told, *(f"{value:.6g}" for value in numbers)]
