"""The command on a machine whose costs are made up."""

import xml.etree.ElementTree as ElementTree

import pytest
from browser import assert_readable
from costly import linear, made_up_costs, quadratic

from kernelpick.cli import main
from kernelpick.lab.calibrate import command


@pytest.fixture(autouse=True)
def machine(monkeypatch):
    def cost(plan):
        return (quadratic if plan.specification.row.learner.axis == "newton" else linear)(plan)

    monkeypatch.setattr(command, "costs_for", made_up_costs(cost))


def test_what_is_printed_and_drawn(tmp_path, capsys):
    page = tmp_path / "calibration.html"
    assert main(["calibrate", "auto", "rf-oks++", "--inputs", "18", "--output", str(page)]) == 0
    told = capsys.readouterr().out
    assert "auto: 18 columns, regression, in batches" in told and f"The charts are in {page}." in told
    assert "10 ns for each frequency, so beta is 100 a µs." in told
    assert "Memories take 20 us, 20 us at p99." in told and "Companions take 30 us, 30 us at p99." in told
    assert "20us   1,496 frequencies " in told and "1ms   16,384 frequencies, the largest" in told
    written = page.read_text(encoding="utf-8")
    assert written.count("<figure>") == 2
    ElementTree.fromstring(written.partition("\n")[2])
    assert_readable(written, tmp_path)


@pytest.mark.parametrize(("calls", "least", "buys"), [("batches", "2.6us", "3,200"), ("rows", "3.4us", "2,400")])
def test_classes_and_single_rows(calls, least, buys, tmp_path, capsys):
    if calls == "rows":
        pytest.importorskip("river")
    given = ["--task", "classification", "--calls", calls, "--budgets", "1us,40us"]
    assert main(["calibrate", "rf-ioks", *given, "--output", str(tmp_path / "page.html")]) == 0
    told = capsys.readouterr().out
    assert f"too small: {least} is the least" in told and f"{buys} frequencies" in told


def test_auto_becomes_tiny_below_its_least(tmp_path, capsys):
    assert main(["calibrate", "auto", "--budgets", "1us", "--output", str(tmp_path / "page.html")]) == 0
    assert "is the least, and below that it is tiny" in capsys.readouterr().out


def test_many_large_matrices_are_told(tmp_path, capsys, monkeypatch):
    """Each of five takes twice as long as one does, each of eight three times."""
    pytest.importorskip("river")

    def cost(plan):
        players = plan.specification.hypotheses
        return 2e-6 + (quadratic(plan) - 2e-6) * players * {1: 1.0, 5: 2.0, 8: 3.0}[players]

    monkeypatch.setattr(command, "costs_for", made_up_costs(cost))
    assert main(["calibrate", "auto", "--calls", "rows", "--output", str(tmp_path / "page.html")]) == 0
    told = capsys.readouterr().out
    for count, times in ((5, "2.00"), (8, "3.00")):
        told_of = f"Where {count} of the largest play, each takes {times} times as long as alone, {times} times at p99."
        assert told_of in told


@pytest.mark.parametrize(("given", "sentence"), [
    (["oks++"], "oks++ stores examples without end"),
    (["kernels"], "Unknown algorithm 'kernels'"),
    (["--calls", "often"], "Unknown calls 'often'"),
    (["--budgets", "soon"], "--budgets is a time above 0"),
    (["--inputs", "0"], "--inputs must be a whole number from 1 up"),
    (["--output", "nowhere/page.html"], "whose folder is not there"),
    (["--output", "."], "which is a folder"),
])  # fmt: skip
def test_refusals(given, sentence, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["calibrate", *given]) == 2
    assert sentence in capsys.readouterr().err and list(tmp_path.iterdir()) == []
