"""The whole command on made-up streams."""

import csv
import re
import xml.etree.ElementTree as ElementTree

import pytest
from browser import assert_readable

from kernelpick.cli import main
from kernelpick.files.errors import DataError
from kernelpick.lab.regret import command
from kernelpick.lab.regret.document import fill

QUICK = ["--algorithms", "oks,rf-oks++", "--horizons", "60,120", "--kernels", "2,3", "--features", "4,8"]
QUICK += ["--repeats", "2", "--jobs", "1"]


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    folder = tmp_path_factory.mktemp("regret")
    assert main(["regret", "planted", "constant", *QUICK, "--out", str(folder)]) == 0
    return folder


def test_what_is_written(measured):
    written = {"plays", "rivals", "parts", "regret.html", "summary.csv", "certificates.csv", "tables.md"}
    assert {path.name for path in measured.iterdir()} == written
    rows = list(csv.DictReader((measured / "summary.csv").read_text().splitlines()))
    at_horizons = [row for row in rows if row["kernels"] == "6" and row["features"] == "100"]
    assert len(at_horizons) == 2 * 2 * 5  # streams, horizons, four scales of OKS and RF-OKS++
    assert all(float(row["gap"]) <= 1e-4 * max(float(row["best"]), 1e-3 * 120) for row in rows)
    told = (measured / "tables.md").read_text()
    assert re.search(r"^\| rf-oks\+\+ \| Theorem 4 \|", told, re.M) and told.count("Comparators:") == 2


def test_every_comparator_has_its_certificate(measured):
    rows = list(csv.DictReader((measured / "certificates.csv").read_text().splitlines()))
    # streams x (six kernels at two horizons, and two and three of them at one); boxes where features do not vary
    assert len([row for row in rows if row["features"] == "0"]) == 2 * (2 * 6 + 2 + 3)
    assert len([row for row in rows if row["features"] == "100"]) == 2 * 2 * 6
    for row in rows:
        loss, lower, gap = (float(row[name]) for name in ("loss_of_it", "lower_bound", "gap"))
        assert 0 <= lower <= loss and gap == loss - lower <= 1e-4 * max(loss, 1e-3 * int(row["horizon"]))


def test_the_page_is_well_formed_and_alone(measured):
    page = (measured / "regret.html").read_text()
    document = ElementTree.fromstring(page)
    assert len(document.findall(".//h2")) == 2
    charts = document.findall(".//svg[@aria-label]")
    assert len(charts) == 2 * 7 and all(chart.findall(".//path[@d]") for chart in charts)
    assert not re.search(r"https?:|//[a-z]|@import|url\(|<script|<link|\bsrc=|nan|NaN", page)


def test_every_table_and_picture_is_a_file_for_pages_of_text(measured, tmp_path):
    for picture in (measured / "parts").glob("*.svg"):
        drawn = ElementTree.fromstring(picture.read_text())
        names = [one.text for one in drawn.findall("./{*}text[@class='name']")]
        assert any("rf-oks++" in name for name in names) and len(drawn.findall("./{*}svg//{*}path[@d]")) >= 1
    page = tmp_path / "regret.md"
    part = f"{measured.name}/planted-horizons"
    shown = f"![](regret/{measured.name}/planted-rounds.svg)"
    left = "<!-- begin elsewhere/planted-horizons -->\nkept\n<!-- end elsewhere/planted-horizons -->\n"
    page.write_text(f"Mine.\n<!-- begin {part} -->\nold\n<!-- end {part} -->\n{shown}\n{left}")
    assert fill(measured.parent, page) == ["elsewhere/planted-horizons.md"]
    table = (measured / "parts" / "planted-horizons.md").read_text()
    assert table in (measured / "tables.md").read_text()
    assert page.read_text() == f"Mine.\n<!-- begin {part} -->\n{table}<!-- end {part} -->\n{shown}\n{left}"
    copied = tmp_path / "regret" / measured.name / "planted-rounds.svg"
    assert copied.read_bytes() == (measured / "parts" / "planted-rounds.svg").read_bytes()
    with pytest.raises(DataError, match=r"has nothing that .* asks for: run kernelpick regret with --out"):
        fill(tmp_path, page)


def test_the_page_in_a_browser(measured, tmp_path):
    assert_readable((measured / "regret.html").read_text(), tmp_path)


def test_it_goes_on_where_it_was(measured, monkeypatch):
    before = {name: (measured / name).read_bytes() for name in ("summary.csv", "tables.md", "regret.html")}
    monkeypatch.setattr(command, "carry_out", None)  # nothing is left to do
    assert main(["regret", "planted", "constant", *QUICK, "--out", str(measured)]) == 0
    assert {name: (measured / name).read_bytes() for name in before} == before


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nowhere"], "Unknown stream 'nowhere'"),
        (["planted", "--algorithms", "okss"], "Unknown algorithm 'okss': did you mean 'oks'"),
        (["planted", "--loss", "hinge"], "The hinge loss is not for planted: take one of absolute, huber, square."),
        (["planted", "--loss", "absolute", "--algorithms", "oks++"], "oks++ needs a smooth loss and absolute is not"),
        (["planted", "--horizons", "10,x"], "--horizons are whole numbers by commas, and 'x' is none."),
        (["planted", "--kernels", "1"], "--kernels must be a whole number from 2 up, not 1."),
        (["elevators", "--horizons", "20000"], "elevators has 16,599 rows, so --horizons can't be 20,000."),
        (["planted", "--radius", "0"], "--radius must be a positive number, not 0.0."),
        (
            ["labels", "--loss", "squared_hinge", "--algorithms", "bao2ks"],
            "bao2ks learns labels by the hinge loss alone",
        ),
        (["planted", "--repeats", "0"], "--repeats must be a whole number from 1 up, not 0."),
    ],
)
def test_what_is_wrong_is_told_before_any_work(arguments, sentence, tmp_path, capsys):
    assert main(["regret", *arguments, "--out", str(tmp_path / "out")]) == 2
    assert sentence in capsys.readouterr().err and not (tmp_path / "out").exists()
