"""The command `kernelpick calibrate`: measure what is not known yet, then show and draw measurement and fit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kernelpick.budget import cache, parse
from kernelpick.budget.batches import BATCHES
from kernelpick.budget.calibration import Unsized, costs_for
from kernelpick.budget.measure import Way
from kernelpick.core.algorithms import ALGORITHMS
from kernelpick.core.messages import choice, whole
from kernelpick.lab.calibrate import page
from kernelpick.lab.calibrate.options import CALLS, Options
from kernelpick.lab.calibrate.sheet import BOUGHT, MEASURED, Sheet, sentences
from kernelpick.lab.pages.tables import filled, terminal
from kernelpick.lab.running.folder import write
from kernelpick.lab.running.names import by_commas, unique
from kernelpick.sources.options import CLASSIFICATION, TASKS

USUAL = ("auto", "rf-oks++")


def calibrate(options: Options) -> list[Sheet]:
    """Measure, print and write."""
    for name in ("inputs", "outputs"):
        whole(f"--{name}", getattr(options, name), 1)
    choice("task", options.task, TASKS)
    choice("calls", options.calls, CALLS)
    budgets = by_commas(options.budgets)
    for budget in budgets:
        parse.seconds(budget, "--budgets")
    names = [choice("algorithm", name, ALGORITHMS) for name in unique(options.algorithms)] or list(USUAL)
    if Path(options.output).is_dir():
        raise ValueError(f"--output names {options.output}, which is a folder; name a file in it.")
    if not Path(options.output).parent.is_dir():
        raise ValueError(f"--output names {options.output}, whose folder is not there; make it first.")
    sheets = []
    for name in names:
        unsized, way = asked(name, options)
        unsized.usable()  # refuses before anything is measured
        sheets.append(Sheet(name, unsized, costs_for(unsized, way, again=options.again)))
    for sheet in sheets:
        show(sheet, options, budgets)
    write(Path(options.output), page.page(sheets, budgets, cache.machine()))
    print(f"The charts are in {options.output}.")
    return sheets


def asked(name: str, options: Options) -> tuple[Unsized, Way]:
    """What is measured, as estimators of that face would be."""
    from kernelpick.sklearn import KernelClassifier, KernelRegressor

    classifies = options.task == CLASSIFICATION
    usual = ALGORITHMS[name].learner.only_loss or ("logistic" if classifies else "square")
    told: dict[str, Any] = {"loss": options.loss or usual}
    if options.calls == "batches":
        batches = (KernelClassifier if classifies else KernelRegressor)(name, **told)
        return Unsized(batches.get_params(deep=False), classifies, options.inputs, options.outputs), BATCHES
    if options.outputs > 1:
        raise ValueError("--calls rows measures one target, or two classes, with which streams of River begin.")
    from kernelpick import river
    from kernelpick.river.calibrating import row_by_row

    rows = (river.KernelClassifier if classifies else river.KernelRegressor)(name, **told)
    return Unsized(rows._params(), classifies, options.inputs, 1, rows=1), row_by_row(rows)


def show(sheet: Sheet, options: Options, budgets: list[str]) -> None:
    """Print the tables."""
    console = terminal()
    title = f"{sheet.name}: {options.inputs:,} columns, {options.task}, in {options.calls}"
    console.print(title, style="bold", markup=False)
    parts: list[tuple[Any, Any]] = [(MEASURED, sheet.rows), (BOUGHT, sheet.bought(budgets))]
    for columns, rows in parts:
        console.print(filled(columns, rows, lined=True))
    for sentence in sentences(sheet):
        console.print(sentence, markup=False, soft_wrap=True)
