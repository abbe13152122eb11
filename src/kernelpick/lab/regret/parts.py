"""Every table and every picture of a stream as a file of its own, for pages of text to take."""

from __future__ import annotations

from kernelpick.lab.pages.standalone import standalone
from kernelpick.lab.regret.book import RegretBook
from kernelpick.lab.regret.figures import figures
from kernelpick.lab.regret.table import Plans, certificates, grids, in_markdown, title


def parts(plans: Plans, book: RegretBook) -> dict[str, str]:
    """Contents by the name of the file: STREAM-TABLE.md and STREAM-PICTURE.svg."""
    made = {}
    for stream, plan in plans.items():
        made[f"{stream.name}-title.md"] = f"### {title(stream, plan)}\n"
        made[f"{stream.name}-certificates.md"] = f"{certificates(plan, book)}\n"
        for name, grid in grids(plan, book).items():
            made[f"{stream.name}-{name}.md"] = f"{in_markdown(grid)}\n"
        for figure in figures(plan, book):
            made[f"{stream.name}-{figure.name}.svg"] = standalone(figure.chart, figure.series, figure.caption)
    return made
