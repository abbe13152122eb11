"""calibration.html: what was measured beside the fit, as charts and tables, in one file that opens offline."""

from __future__ import annotations

from collections.abc import Sequence

from kernelpick.lab.calibrate.sheet import BOUGHT, MEASURED, MICRO, Sheet, sentences
from kernelpick.lab.pages.charts import Series, tag, text
from kernelpick.lab.pages.html import document, legend
from kernelpick.lab.pages.loglog import loglog_chart
from kernelpick.lab.pages.tables import element

ABOUT = (
    "Times are processor time of a round on this machine, of made-up rows without zeros. The same rows are played "
    "some times: the mean is that of the usual times of calls, the percentile that of their shortest ones, since what "
    "other programs do to a call is not the model's. The kernels are measured with one hypothesis a round; budgets "
    "are for both, with 15 % of them spared, and 20 % and 15 µs where rows come one by one. Dashed: the fit."
)


def page(sheets: Sequence[Sheet], budgets: list[str], machine: str) -> str:
    """The whole document."""
    return document(
        "kernelpick: calibration",
        tag("h1", "What a round costs here"),
        tag("p", text(machine), kind="soft"),
        tag("p", text(ABOUT)),
        *(part for sheet in sheets for part in _parts(sheet, budgets)),
    )


def _parts(sheet: Sheet, budgets: list[str]) -> list[str]:
    series = lines(sheet)
    chart = loglog_chart(series, f"microseconds of a round of {sheet.name} by its size")
    figure = tag("div", chart, legend(series), kind="beside")
    return [
        tag("h2", text(sheet.name)),
        tag("figure", tag("figcaption", "Microseconds of a round, by the size of the model"), figure),
        *(tag("p", text(one)) for one in sentences(sheet)),
        element(MEASURED, sheet.rows),
        element(BOUGHT, sheet.bought(budgets)),
    ]


def lines(sheet: Sheet) -> list[Series]:
    points, costs = sheet.costs.points, sheet.costs
    return [
        Series("mean", "rf-ioks", [(one.size, MICRO * one.mean) for one in points]),
        Series("its fit", "rf-ioks peer", [(one.size, MICRO * costs.mean.at(one.x)) for one in points]),
        Series("99th percentile", "rf-okspp", [(one.size, MICRO * one.high) for one in points]),
        Series("its fit", "rf-okspp peer", [(one.size, MICRO * costs.high.at(one.x)) for one in points]),
    ]
