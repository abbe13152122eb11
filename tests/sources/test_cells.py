"""Cells of delimited files: the fast way, the slow one and the definition."""

import datetime
import itertools
import math
import random

import pytest
from sources.whole import everything, hide_arrow

from kernelpick.sources import cells

pytestmark = pytest.mark.usefixtures("way")


ODD = [
    "1", "-1.5", "+2", ".5", "5.", "1e3", "1E-3", "1e", "e1", "1_0", "0x10", "1d2", "\u0661", "inf", "-Infinity", "nan",
    "-NaN", "NAN(1)", "NA", "null", "?", "", " 7 ", "\t8\t", " NA ", "1,5", "1 2", "--1", "+-1", "1e400", "-1e-400",
    "0.1", "123456789012345678901234567890", "2.2250738585072011e-308", "4.9e-324", "9007199254740993", "-0",
    "1.7976931348623159e308", "2024-02-30", "2024-02-29", "2024/2/29", "2024-01-01T00:00:00.123456789+05:30", "true",
    "None", "N/A", "0" * 400 + "1", "1" * 400, "\x0b1", "\u00a01", "1\u2009", "0.1e-1 ", "1.e5", "1e+05", "1e05", ".",
    "-", "+", "-.5e-5", "infinity", "NaT", "#N/A", "Nan", "nAn", "nan(", "nan()", "\ufeff1",
]  # fmt: skip


def test_both_ways_give_the_same_bits(write, monkeypatch):
    """Odd texts alone in a column, and beside others."""
    pytest.importorskip("pyarrow")
    quoted = [f'"{cell}"' if "," in cell else cell for cell in ODD]
    drawn = random.Random(0)
    numbers = [repr(drawn.gauss(0, 1) * 10 ** drawn.randrange(-300, 300)) for _ in range(3000)]
    texts = ["x,y,z\n" + f"{cell},1,{cell}\n" for cell in quoted]
    texts += [
        "x,y,z\n"
        + "".join(f"{one},{two},{three}\n" for one, two, three in zip(numbers, numbers[1:], itertools.cycle(quoted)))
    ]
    paths = [write(text, f"{place}.csv") for place, text in enumerate(texts)]
    fast = [_bits(path) for path in paths]
    hide_arrow(monkeypatch)
    assert [_bits(path) for path in paths] == fast


def _bits(path):
    rows, rejects, numbers, _ = everything(path, header=True)
    return [[value.hex() if isinstance(value, float) else value for value in row] for row in rows], rejects, numbers


def test_the_definition_of_cells():
    expected = {
        "1": 1.0, "+2": 2.0, ".5": 0.5, "5.": 5.0, " 7 ": 7.0, "1e": "1e", "1_0": "1_0", "0x10": "0x10", "nan": None,
        "NA": None, "?": None, "1,5": "1,5", "2024-02-30": "2024-02-30", "true": "true", "1e400": math.inf,
        "2024-02-29": datetime.datetime(2024, 2, 29), "2024/2/29": "2024/2/29", "\u00a01": "\u00a01",
        "\u0661": "\u0661", "1999": 1999.0, "Bonn ": "Bonn",
    }  # fmt: skip
    assert {text: cells.value(text) for text in expected} == expected
    moment = cells.value("2024-01-01T00:00:00.123456789+05:30")
    assert moment == datetime.datetime.fromisoformat("2024-01-01T00:00:00.123456+05:30")
    assert cells.value("2024-01-01 08:00Z").tzinfo is datetime.UTC
