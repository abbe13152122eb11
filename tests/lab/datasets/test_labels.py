"""Labels as numbers."""

import math

import pytest

from kernelpick.lab.datasets.labels import coder


@pytest.mark.parametrize("text", ["1", "+1", " 1.0\n", "1.000000e+00", "'1'"])
def test_one_label_in_many_spellings(text):
    assert coder({"1": 1.0, "0": -1.0})(text) == 1.0


@pytest.mark.parametrize("text", ["2", "", "g", "nan", "1_", "G"])
def test_what_is_no_label_is_nan(text):
    assert math.isnan(coder({"1": 1.0, "h": -1.0})(text))


def test_without_labels_a_number_stands_for_itself():
    assert coder(None)("-2.5e3") == -2500 and math.isnan(coder(None)("g"))
