"""What `kernelpick regret` prints, and the same as Markdown: some tables a stream."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping

from kernelpick.core.losses import LOSSES
from kernelpick.lab.pages.tables import terminal
from kernelpick.lab.regret.book import RegretBook
from kernelpick.lab.regret.measure import Finding, finding, inequality, slope
from kernelpick.lab.regret.plan import StreamPlan
from kernelpick.lab.regret.streams import MADE_UP, NamedStream
from kernelpick.lab.regret.theory import THEOREMS

Plans = Mapping[NamedStream, StreamPlan]
Grid = list[list[str]]  # rows of cells; the first is that of the headers


def number(value: float) -> str:
    """Three digits; what is huge has lost its meaning.

    >>> number(0.1234), number(1234.5), number(3e9), number(float("nan"))
    ('0.123', '1,234', '3e+09', '')
    """
    if math.isnan(value):
        return ""
    if abs(value) >= 1e6:
        return f"{value:.0e}"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def with_error(one: Finding) -> str:
    """Mean and standard error, which nobody asks for where losses explode."""
    if math.isnan(one.error) or abs(one.mean) >= 1e6:
        return number(one.mean)
    return f"{number(one.mean)} ± {float(f'{one.error:.1g}'):,g}" if one.error > 1e-9 else number(one.mean)


def title(stream: NamedStream, plan: StreamPlan) -> str:
    """What is measured."""
    case = plan.horizons[-1]
    about = f" ({MADE_UP[stream.name].about})" if stream.made_up else ""
    what = f"regret with the {case.loss} loss against the best of {case.kernels} kernels"
    return f"{stream.name}{about}: {what}, {_balls(plan)}"


def _balls(plan: StreamPlan) -> str:
    """The radii, and those that have another than most."""
    case, radii = plan.horizons[-1], Counter(plan.horizons[-1].radius_of(one) for one in plan.entrants)
    usual = radii.most_common(1)[0][0]
    others = [f"{one.name}: {case.radius_of(one):g}" for one in plan.entrants if case.radius_of(one) != usual]
    return f"U = {usual:g}" + (f" ({', '.join(others)})" if others else "")


def error_name(plan: StreamPlan) -> str:
    """What `Finding.wrong` is."""
    return "Share of wrong labels" if LOSSES[plan.horizons[-1].loss].classifies else "Mean squared error"


def over_horizons(plan: StreamPlan, book: RegretBook) -> Grid:
    """Regret at each horizon, the slope with its interval, and the regret against weights in a box of the features."""
    grid = [["regret", *(f"T = {case.horizon:,}" for case in plan.horizons), "slope", "in features"]]
    for entrant in plan.entrants:
        findings = [finding(case, entrant, plan, book) for case in plan.horizons]
        power, boxed = slope(findings), findings[-1].boxed
        told = "" if math.isnan(power.value) else f"{power.value:.2f} ({power.low:.2f} to {power.high:.2f})"
        last = "" if boxed is None else number(float(boxed.mean()))
        grid.append([entrant.name, *map(with_error, findings), told, last])
    return grid


def over_bounds(plan: StreamPlan, book: RegretBook) -> Grid:
    """The regret as a share of the bound: where that does not grow, the shape of the theorem is right."""
    grid = [["regret / bound", "", *(f"T = {case.horizon:,}" for case in plan.horizons), "bound at the last"]]
    for entrant in plan.entrants:
        theorem = THEOREMS.get(entrant.algorithm)
        if theorem:
            findings = [finding(case, entrant, plan, book) for case in plan.horizons]
            ratios = [number(one.ratio) for one in findings]
            grid.append([entrant.name, theorem.name, *ratios, number(findings[-1].bound)])
    return grid


def over_kernels(plan: StreamPlan, book: RegretBook) -> Grid:
    """Regret against the number of kernels."""
    grid = [["kernels", *(f"{case.kernels:,}" for case in plan.kernels)]]
    for entrant in plan.entrants if plan.kernels else ():
        grid.append([entrant.name, *(with_error(finding(case, entrant, plan, book)) for case in plan.kernels)])
    return grid


def over_features(plan: StreamPlan, book: RegretBook) -> Grid:
    """Regret, error and time against the number of features."""
    grid = [["features", *(f"{case.features:,}" for case in plan.features)]]
    for entrant in plan.swept if plan.features else ():
        findings = [finding(case, entrant, plan, book) for case in plan.features]
        grid.append([entrant.name, *map(with_error, findings)])
        grid.append([error_name(plan).lower(), *(f"{one.wrong:.3g}" for one in findings)])
        grid.append(["µs a round", *(f"{1e6 * one.seconds:.3g}" for one in findings)])
    return grid


def theorem_1_grid(plan: StreamPlan, book: RegretBook) -> Grid:
    """Both sides of the inequality at each horizon; none where OKS with s = 1 does not play."""
    grid = [["Theorem 1", "left side", "right side", "holds", "predicting 0", "its right side", "holds"]]
    for case in plan.horizons:
        both = inequality(case, plan, book)
        if both is None:
            return []
        zero = "yes" if both.zero <= both.zero_right else "no"
        grid.append([f"{case.horizon:,}", f"{number(both.left)} ± {number(both.error)}", number(both.right),
                     "yes" if both.holds else "NO", number(both.zero), number(both.zero_right), zero])  # fmt: skip
    return grid


def certificates(plan: StreamPlan, book: RegretBook) -> str:
    """How good the comparators are, in a sentence: a mean loss below 2e-4 counts as that."""
    told = []
    for name, boxes in (("balls", False), ("boxes", True)):
        solved = [(rival, book.solved(rival)) for rival in plan.rivals() if bool(rival.features) is boxes]
        if solved:
            widest = max((one.total - one.lower_bound) / max(one.total, 2e-4 * rival.horizon) for rival, one in solved)
            told.append(f"{len(solved)} over {name}, gap at most {100 * widest:.2g} % of the loss")
    best = finding(plan.horizons[-1], plan.entrants[0], plan, book)
    return f"Comparators: {'; '.join(told)}. L(f*) of the best kernel at {best.case.horizon:,}: {best.best:.5g}."


TABLES = {
    "horizons": over_horizons,
    "bounds": over_bounds,
    "theorem-1": theorem_1_grid,
    "kernels": over_kernels,
    "features": over_features,
}


def grids(plan: StreamPlan, book: RegretBook) -> dict[str, Grid]:
    """All tables of a stream by their names."""
    made = {name: table(plan, book) for name, table in TABLES.items()}
    return {name: grid for name, grid in made.items() if len(grid) > 1}


def show(plans: Plans, book: RegretBook) -> None:
    """Print all of it."""
    from rich import box
    from rich.table import Table

    console = terminal()
    for stream, plan in plans.items():
        console.print(title(stream, plan), style="bold", markup=False, soft_wrap=True)
        for grid in grids(plan, book).values():
            table = Table(box=box.SIMPLE_HEAD)
            for place, header in enumerate(grid[0]):
                table.add_column(header, justify="right" if place else "left")
            for row in grid[1:]:
                table.add_row(*row)
            console.print(table)
        console.print(certificates(plan, book), markup=False, soft_wrap=True)


def in_markdown(grid: Grid) -> str:
    """A table for a page of text."""
    head, *rows = ("| " + " | ".join(row) + " |" for row in grid)
    return "\n".join([head, "|" + "---|" * len(grid[0]), *rows])


def as_markdown(plans: Plans, book: RegretBook) -> str:
    """All of them."""
    parts = []
    for stream, plan in plans.items():
        parts.append(f"### {title(stream, plan)}\n")
        for grid in grids(plan, book).values():
            parts.append(in_markdown(grid) + "\n")
        parts.append(certificates(plan, book) + "\n")
    return "\n".join(parts)
