"""A query that is killed and started again learns every row exactly once."""

import random

import pytest
import soak_spark

LACK = soak_spark.lack()
pytestmark = [pytest.mark.spark, pytest.mark.skipif(LACK is not None, reason=str(LACK))]


def test_ten_kills_change_no_bit(tmp_path):
    assert "10 kills" in soak_spark.one_case(10, tmp_path, random.Random(1))
