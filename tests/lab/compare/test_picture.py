"""The picture: a chart for each stream, a line for each peer, and nothing that is cut off or left without a name."""

import xml.etree.ElementTree as ElementTree

import pytest

from kernelpick.cli import main
from kernelpick.lab.compare.contest import Score
from kernelpick.lab.compare.picture import picture
from kernelpick.lab.compare.standings import Board, Standing
from kernelpick.lab.running.curves import checkpoints

SVG = "{http://www.w3.org/2000/svg}"


def board(stream, champion="raker", **errors):
    def stand(name, error):
        steps = checkpoints(stream.rounds)
        return Standing(name.replace("_", "-"), (Score(error, 1e-5, 1, 0, "", [error] * len(steps)),))

    standings = sorted((stand(name, error) for name, error in errors.items()), key=lambda one: one.error)
    return Board(stream, standings, champion)


def test_charts_lines_and_names(regression, classification):
    first = board(regression, raker=0.1, river_tree=0.2, constant=0.3, vw=50.0)
    second = board(classification, raker=0.3, river_linear=0.2, no_change=0.3)
    root = ElementTree.fromstring(picture([first, second]))
    charts = root.findall(f"{SVG}svg")
    drawn = [[path.find(f"{SVG}title").text for path in chart.findall(f"{SVG}path")] for chart in charts]
    assert drawn == [["river-tree", "raker"], ["raker", "river-linear"]]  # the best on top; no marks, nothing far above
    names = [one.text for one in root.findall(f"{SVG}text") if one.get("class") == "name"]
    assert names == ["raker", "river-tree", "river-linear"]
    legend = {path.get("class") for path in root.findall(f"{SVG}path")}
    assert legend == {"line raker champion", "line river-tree peer", "line river-linear peer"}
    heads = ["".join(one.itertext()) for one in root.findall(f"{SVG}text") if one.get("class") == "head"]
    assert heads == ["numbersmean squared error so far", "labelsshare of wrong labels so far"]
    assert "prefers-color-scheme: dark" in root.find(f"{SVG}style").text
    assert root.find(f"{SVG}rect").get("fill") == "var(--page)"


@pytest.mark.parametrize("count", [1, 2, 5])
def test_all_of_it_is_inside(regression, count):
    root = ElementTree.fromstring(picture([board(regression, raker=0.1, river_tree=0.2)] * count))
    width, height = map(float, root.get("viewBox").split()[2:])
    charts = root.findall(f"{SVG}svg")
    assert len({(chart.get("x"), chart.get("y")) for chart in charts}) == count
    for chart in charts:
        x, y, wide, high = (float(chart.get(side)) for side in ("x", "y", "width", "height"))
        assert x + wide < width and y + high < height
    assert all(float(one.get("x")) < width and float(one.get("y")) < height for one in root.findall(f"{SVG}text"))


def test_the_command_writes_it(table, tmp_path, capsys):
    given = ["--algorithms", "raker", "--peers", "constant", "--out", str(tmp_path / "out")]
    assert main(["compare", str(table()), *given, "--picture", str(tmp_path / "no" / "a.svg")]) == 2
    assert "whose folder is not there" in capsys.readouterr().err and not (tmp_path / "out").exists()
    assert main(["compare", str(table()), *given, "--picture", str(tmp_path / "a.svg")]) == 0
    assert ElementTree.parse(tmp_path / "a.svg").getroot().tag == f"{SVG}svg"
