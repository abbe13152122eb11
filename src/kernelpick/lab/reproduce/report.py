"""report.html: one file that opens offline, with the tables and, for each dataset, the curves."""

from __future__ import annotations

from itertools import groupby, pairwise

from kernelpick import __version__
from kernelpick.core.specification import DEFAULT_WIDTHS
from kernelpick.lab.datasets.registry import lookup
from kernelpick.lab.pages.charts import area_chart, deviation, tag, text
from kernelpick.lab.pages.html import columnwise_mean, css_class, curves_figure, document, mean_curve
from kernelpick.lab.pages.tables import ShownColumn, cells, headers
from kernelpick.lab.reproduce.cells import title
from kernelpick.lab.reproduce.summary import Reproduction
from kernelpick.lab.reproduce.tables import MARK, counts, shown
from kernelpick.lab.running.curves import checkpoints
from kernelpick.lab.running.names import unique

GUESTS = 4  # colours for added algorithms
ABOUT = (
    "Published numbers are those of Li and Liao, Improved Regret Bounds for Online Kernel Selection under Bandit "
    "Feedback (ECML-PKDD 2022). Ours are means and standard deviations over random permutations of the rows. A cell "
    "is marked as within if it differs by at most max(2·sqrt(std² + published std²), 5 %); the green band is that "
    "tolerance and the dot is where ours lies. s is the step scale that is best in hindsight. Algorithms without a "
    "published number were added to the tables and are not counted."
)


def page(lines: list[Reproduction]) -> str:
    """The whole document, as HTML that is also XML."""
    datasets = unique(line.cell.dataset for line in lines)
    links = [tag("a", text(name), href=f"#{name}") for name in ("tables", *datasets)]
    return document(
        "kernelpick: the paper reproduced",
        tag("h1", "The paper's tables, computed again"),
        tag("p", text(f"kernelpick {__version__}, {len(lines[0].runs)} permutations of each dataset"), kind="soft"),
        _verdict(lines),
        tag("p", text(ABOUT)),
        tag("nav", *links),
        tag("h2", "Tables", id="tables"),
        *(
            _table(number, list(rows), shown(lines))
            for number, rows in groupby(lines, key=lambda line: line.cell.table)
        ),
        *(_dataset(name, [line for line in lines if line.cell.dataset == name]) for name in datasets),
    )


def _verdict(lines: list[Reproduction]) -> str:
    boxes = [
        tag("div", tag("b", text(f"{within} of {cells}")), text(f"cells within, {settings} settings"))
        for settings, (within, cells) in counts(lines).items()
    ]
    return tag("div", *boxes, kind="verdict")


def _table(number: int, lines: list[Reproduction], columns: list[ShownColumn[Reproduction]]) -> str:
    first = headers(columns)
    first.insert(columns.index(MARK) + 1, tag("th", "in the tolerance"))
    rows = [tag("tr", *first)]
    for before, line in pairwise([None, *lines]):
        assert line is not None
        new = before is not None and before.cell.dataset != line.cell.dataset
        rows.append(tag("tr", *_row(line, columns), kind="new" if new else "same"))
    return tag("h3", text(title(number))) + tag("div", tag("table", *rows), kind="scroll")


def _row(line: Reproduction, columns: list[ShownColumn[Reproduction]]) -> list[str]:
    row, mark, paper = cells(columns, line), columns.index(MARK), line.cell.published
    picture = " "
    if paper is not None and line.tolerance is not None:
        kind, said = ("in", "within") if line.within else ("out", "outside")
        told = f"{said} the tolerance of {line.tolerance:.2g}"
        row[mark] = tag("td", text(MARK.text(line)), kind=f"mark {kind}", title=told)
        picture = deviation(line.mean - paper.mean, line.tolerance, told)
    row.insert(mark + 1, tag("td", picture))
    return row


def _dataset(name: str, lines: list[Reproduction]) -> str:
    entry = lookup(name)
    about = f"{entry.task}, {entry.rows:,} rows of {entry.features} features"
    parts = [tag("h2", text(name), id=name), tag("p", text(about), kind="soft")]
    for loss in unique(line.cell.loss for line in lines):
        for settings in unique(line.settings for line in lines):
            own = [line for line in lines if line.cell.loss == loss and line.settings == settings and _finite(line)]
            if own:
                parts += [tag("h3", text(f"{loss} loss, {settings} settings")), _losses(own), _probabilities(own)]
    return "".join(parts)


def _finite(line: Reproduction) -> bool:
    """A run that diverged has no complete curve."""
    return all(len(run.losses) == len(line.runs[0].losses) for run in line.runs) and line.mean < float("inf")


def _losses(lines: list[Reproduction]) -> str:
    rounds = lookup(lines[0].cell.dataset).rows
    steps = checkpoints(rounds)
    guests = unique(line.cell.algorithm for line in lines if line.cell.published is None)
    series = [
        mean_curve(line.cell.algorithm, _style(line, guests), steps, (run.losses for run in line.runs))
        for line in lines
    ]
    caption = "Average loss up to each round, mean over the permutations. Dashed: random features or a budget."
    label = f"average loss over the rounds on {lines[0].cell.dataset}"
    return curves_figure(series, rounds, caption, label)


def _probabilities(lines: list[Reproduction]) -> str:
    steps = checkpoints(lookup(lines[0].cell.dataset).rows)
    multiples = []
    for line in lines:
        shares = [columnwise_mean(point) for point in zip(*(run.probabilities for run in line.runs), strict=True)]
        label = f"probability of each kernel under {line.cell.algorithm}"
        multiples.append(tag("div", tag("div", text(line.cell.algorithm)), area_chart(steps, shares, label)))
    swatch = '<svg viewBox="0 0 26 10"><rect width="26" height="10" class="arm{}"/></svg>'
    legend = [tag("li", swatch.format(arm), text(f"width {width:g}")) for arm, width in enumerate(DEFAULT_WIDTHS)]
    caption = (
        "Probability of each kernel (where all kernels play: its weight) after each round, mean over permutations."
    )
    if any(line.cell.algorithm == "raker" and line.settings == "published" for line in lines):
        caption += " Under published settings raker's widths are 1/4, 1/8, 1/8, 1/4, 1, 8, in this order."
    return tag(
        "figure",
        tag("figcaption", text(caption)),
        tag("div", *multiples, kind="multiples"),
        tag("ul", *legend, kind="legend"),
    )


def _style(line: Reproduction, guests: list[str]) -> str:
    if line.cell.published is None:
        return f"guest{guests.index(line.cell.algorithm) % GUESTS}"
    name = css_class(line.cell.algorithm)
    return name if line.cell.size is None else f"{name} approximate"
