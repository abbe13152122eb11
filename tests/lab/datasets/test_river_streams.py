"""Streams of River: rows and targets are those that River gives, texts become indicators, the rest is refused."""

import subprocess
import sys

import numpy as np
import pytest

from kernelpick.files.errors import DataError
from kernelpick.lab.compare.sources import Wanted, opened
from kernelpick.lab.datasets import river_streams

datasets = pytest.importorskip("river.datasets")
synth = pytest.importorskip("river.datasets.synth")


@pytest.mark.parametrize("name", [name for name in river_streams.STREAMS if name != "RandomRBFDrift"])
def test_the_twelve_row_by_row(name, monkeypatch):
    """A second way, over the first rows; RandomRBFDrift takes long to make, and is like Hyperplane here."""
    monkeypatch.setattr(river_streams, "ROWS", 300)
    X, y = river_streams.read(f"river:{name}")
    assert X.shape[0] == len(y) == 300 and np.isfinite(X).all()
    for row, (inputs, target) in enumerate(river_streams.STREAMS[name](synth).take(300)):
        if name == "Mv":  # three colours, then yes or no, then normal or large
            colours = [float(inputs[3] == colour) for colour in ("brown", "green", "red")]
            two = [float(inputs[7] == "yes"), float(inputs[8] == "normal")]
            told = [inputs[1], inputs[2], *colours, inputs[4], inputs[5], inputs[6], *two, inputs[9], inputs[10]]
        else:
            told = list(inputs.values())
        assert X[row].tolist() == told
        assert y[row] == (str(target) if isinstance(y[row], str) else target)


def test_there_are_twelve_with_a_change_where_it_is_said():
    assert len(river_streams.STREAMS) == 12
    build, differences = river_streams._changing("SEA", {"variant": 0}, {"variant": 3}), []
    rule = {0: 8.0, 3: 9.5}
    for row, (x, y) in enumerate(build(synth).take(river_streams.ROWS)):
        assert y in [x[0] + x[1] > level for level in rule.values()]
        differences += [row] if y != (x[0] + x[1] > rule[0]) else []
    assert 8_000 < min(differences) < 12_000 and max(differences) > 19_900


def test_a_longer_stream_begins_like_the_shorter(monkeypatch):
    monkeypatch.setattr(river_streams, "ROWS", 50)
    short, long = river_streams.read("river:Sine"), river_streams.read("river:Sine", 80)
    assert len(short[1]) == 50 and len(long[1]) == 80
    assert (long[0][:50] == short[0]).all() and long[1][:50] == short[1]


def test_data_in_its_package():
    X, y = river_streams.read("river:ImageSegments")
    assert X.shape == (2310, 18) and min(y) == "brickface" and len(set(y)) == 7
    chicks = opened(Wanted("river:ChickWeights", rows=100))
    assert chicks.task == "regression" and chicks.rounds == 100 and len(chicks.y) == 578
    assert opened(Wanted("river:Bananas")).classes == ("False", "True")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("SolarFlare", "has 3 targets in each row"),
        ("AirlinePassengers", "the column 'month' holds datetime"),
        ("Elec2", r"does not come with River: bring it with .*datasets\.Elec2\(\)\.download\(\)"),
    ],
)
def test_what_cannot_be_played_is_told(name, words):
    if name == "Elec2" and datasets.Elec2().is_downloaded:
        pytest.skip("it was downloaded here")
    with pytest.raises(DataError, match=words):
        river_streams.read(f"river:{name}")


def test_without_river():
    code = "import sys; sys.modules['river'] = None\nfrom kernelpick.cli import main\n"
    code += "sys.exit(main(['compare', 'river:SEA']))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert done.stderr == "kernelpick: river:SEA needs River: install it with pip install river.\n"
