"""What is learned: told from the first targets."""

from datetime import datetime

import numpy as np
import pytest

from kernelpick.streaming.task import recognised, targets


def objects(*values):
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out


CASES = {
    "prices": (np.array([1.5, 2.5, np.nan]), ("regression", "numbers"), "from 1.5 to 2.5"),
    "two whole numbers": (np.array([0.0, 1.0, 1.0]), ("classification", "whole numbers"), "--task regression"),
    "two numbers that are not whole": (np.array([0.5, 1.5]), ("regression", "numbers"), "holds numbers"),
    "ones alone": (np.array([1.0, 1.0]), ("classification", "whole numbers"), "--task regression"),
    "sevens alone": (np.array([7.0, 7.0]), ("regression", "numbers"), "--task classification if they are classes"),
    "ten digits": (
        np.tile(np.arange(10.0), 10),
        ("regression", "numbers"),
        "--task classification if they are classes",
    ),
    "few counts": (np.arange(9.0), ("regression", "numbers"), "--task classification if they are classes"),
    "names": (objects("yes", "no", None), ("classification", "texts"), "since it holds texts: no, yes"),
    "a stray text among numbers": (objects(1.5, "n. a.", 2.5), ("regression", "numbers"), "holds numbers"),
    "days": (objects(datetime(2024, 5, 1), None), ("classification", "texts"), "2024-05-01"),
}


@pytest.mark.parametrize("case", CASES)
def test_the_task_is_told_from_the_first_targets(case):
    first, task, words = CASES[case]
    found, sentence = recognised(first, None, "price")
    assert tuple(found) == task and words in sentence and sentence.startswith("price: ")


def test_the_task_may_be_said():
    assert tuple(recognised(np.array([0.0, 1.0]), "regression", "y")[0]) == ("regression", "numbers")
    assert tuple(recognised(np.arange(50.0), "classification", "y")[0]) == ("classification", "whole numbers")
    assert tuple(recognised(np.arange(50.0) / 4, "classification", "y")[0]) == ("classification", "texts")
    assert tuple(recognised(np.full(3, np.nan), "regression", "y")[0]) == ("regression", "numbers")
    with pytest.raises(ValueError, match="'y' is blank in the first 3 rows"):
        recognised(np.full(3, np.nan), None, "y")


def test_a_target_decides_by_itself_whether_it_is_one():
    mixed = objects(1.0, "2,5", None, datetime(2024, 1, 1), 2.5)
    found = targets(mixed, "numbers")
    assert found.bad.keys() == {1, 3} and found.missing.tolist() == [False, False, True, False, False]
    found = targets(mixed, "whole numbers")
    assert found.bad.keys() == {1, 3, 4} and found.values[0] == 1
    found = targets(mixed, "texts")
    assert found.values.tolist() == ["1", "2,5", None, "2024-01-01T00:00:00", "2.5"] and not found.bad
    for row, value in enumerate(mixed):  # the same alone
        alone = targets(np.array([value]) if isinstance(value, float) else objects(value), "texts")
        assert alone.values[0] == found.values[row] and alone.missing[0] == found.missing[row]
