"""Error against the budget, on a machine whose costs are made up."""

import csv
import xml.etree.ElementTree as ElementTree

import pytest
from browser import assert_readable
from costly import linear, made_up_costs

from kernelpick.budget import planned
from kernelpick.cli import main
from kernelpick.lab.compare import arena, command, stamps

GIVEN = ["--algorithms", "rf-oks++,raker", "--budgets", "10us,2us,5us"]


@pytest.fixture(autouse=True)
def machine(monkeypatch):
    def use(cost):
        stamps.stamp.cache_clear()
        monkeypatch.setattr(planned, "costs_for", made_up_costs(cost))

    use(linear)
    yield use
    stamps.stamp.cache_clear()


def contestants(out):
    return [row["contestant"] for row in csv.DictReader((out / "results.csv").read_text().splitlines())]


def test_the_table_and_the_picture(table, tmp_path, capsys):
    out, path = tmp_path / "out", table()
    drawn = tmp_path / "drawn.svg"
    assert main(["compare", str(path), *GIVEN, "--out", str(out), "--picture", str(drawn)]) == 0
    assert "by the budget of a round in µs" in drawn.read_text(encoding="utf-8")
    told = capsys.readouterr().out
    assert contestants(out) == ["rf-oks++@5us", "rf-oks++@10us", "raker@5us", "raker@10us"]  # and no peers
    assert f"Skipped on {path}: rf-oks++ at 2us, too small for any model of it here." in told
    assert f"{path}: error against the budget" in told
    lines = [line.split() for line in told.partition("error against the budget")[2].splitlines()]
    rows = [line for line in lines if line[:1] in (["raker"], ["rf-oks++"])]
    assert [row[:2] + row[4:] for row in rows] == [
        ["raker", "5us", "224", "frequencies"], ["raker", "10us", "648", "frequencies"],
        ["rf-oks++", "5us", "224", "frequencies"], ["rf-oks++", "10us", "648", "frequencies"],
    ]  # fmt: skip
    page = (out / "compare.html").read_text(encoding="utf-8")
    assert "error against the time budget on" in page and page.count("<figure>") == 1
    ElementTree.fromstring(page.partition("\n")[2])
    assert_readable(page, tmp_path)


def test_it_goes_on_where_it_was_unless_a_budget_buys_something_else(table, tmp_path, capsys, monkeypatch, machine):
    held = []

    def hold(contest):
        held.append(contest.contestant)
        if len(held) == 3:
            raise KeyboardInterrupt
        return arena.hold(contest)

    monkeypatch.setattr(command, "hold", hold)
    arguments = ["compare", str(table()), *GIVEN, "--out", str(tmp_path / "out")]
    assert main(arguments) == 130
    assert main(arguments) == 0
    assert held == ["rf-oks++@5us", "rf-oks++@10us", "raker@5us", "raker@5us", "raker@10us"]
    machine(lambda plan: 1.5 * linear(plan))
    assert main(arguments) == 0
    assert held[5:] == ["rf-oks++@5us", "rf-oks++@10us", "raker@5us", "raker@10us"]


@pytest.mark.parametrize(("given", "sentence"), [
    (["--budgets", "often"], "--budgets is a time above 0"),
    (["--budgets", "1us"], "No budget of --budgets has room for any of the algorithms"),
    (["--budgets", "1ms", "--cluster", "localhost:1"], "--budgets are measured here"),
])  # fmt: skip
def test_refusals(given, sentence, table, tmp_path, capsys):
    out = tmp_path / "out"
    assert main(["compare", str(table()), "--algorithms", "rf-oks++", *given, "--out", str(out)]) == 2
    assert sentence in capsys.readouterr().err and not out.exists()
