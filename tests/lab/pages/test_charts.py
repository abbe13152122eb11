"""Charts and markup."""

import pytest

from kernelpick.lab.pages.charts import log_ticks, tag, ticks


def test_markup_is_escaped():
    assert tag("td", kind='a"b') == '<td class="a&quot;b"/>'


@pytest.mark.parametrize(("low", "high"), [(0.0007, 0.3), (0.021, 0.0399), (0.1659, 0.1661), (1.0, 1000.0), (0.9, 1.1)])
def test_ticks_are_round_numbers_inside(low, high):
    marks = log_ticks(low, high)
    assert all(low <= mark <= high for mark in marks) and len(marks) <= 8
    assert ticks(8192, 5) == [0, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000]
