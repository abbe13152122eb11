"""summary.csv, every entrant in every case; certificates.csv, every comparator."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from kernelpick.lab.regret.book import RIVAL, RegretBook
from kernelpick.lab.regret.entrants import Entrant
from kernelpick.lab.regret.measure import Finding, finding
from kernelpick.lab.regret.plays import Case
from kernelpick.lab.regret.table import Plans


def as_csv(plans: Plans, book: RegretBook) -> str:
    """A line each."""
    header = ["stream", "loss", "horizon", "kernels", "features", "radius", "algorithm", "regret", "standard_error",
              "regret_in_features", "best", "gap", "bound", "seconds_per_round", "error"]  # fmt: skip
    rows = [
        _csv_row(case, entrant, finding(case, entrant, plan, book))
        for plan in plans.values()
        for case in plan.cases
        for entrant in plan.entrants_of(case)
    ]
    return _text([header, *rows])


def certificates_as_csv(plans: Plans, book: RegretBook) -> str:
    """Between which bounds the least loss lies, for each comparator; features are 0 where it is over a ball."""
    header = [*RIVAL[:-1], "loss_of_it", "lower_bound", "gap", "norm"]
    rows = []
    for plan in plans.values():
        for rival in plan.rivals():
            one = book.solved(rival)
            numbers = (one.total, one.lower_bound, one.total - one.lower_bound, one.norm)
            rows.append([rival.stream.name, *rival[1:], *map(repr, numbers)])
    return _text([header, *rows])


def _text(rows: Iterable[Iterable[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _csv_row(case: Case, entrant: Entrant, one: Finding) -> list[object]:
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
