"""Streams: the task is found out, the order is told, and what cannot be compared is refused."""

import numpy as np
import pytest

from kernelpick.files.errors import DataError
from kernelpick.lab.compare.sources import Wanted, opened


def test_the_task_is_guessed(table, write):
    assert opened(Wanted(str(table()))).task == "regression"
    named = opened(Wanted(str(table(name="named.csv", labels=("low", "high")))))
    assert named.task == "classification" and named.classes == ("high", "low") and set(named.y) == {0, 1}
    two = str(write("two", "1,0\n2,1\n3,1\n"))
    assert opened(Wanted(two)).classes == ("0", "1")
    assert opened(Wanted(two, task="regression")).task == "regression"
    three = str(write("three", "1,7\n2,8\n3,9\n"))
    assert opened(Wanted(three)).task == "regression"
    assert opened(Wanted(three, task="classification")).classes == ("7", "8", "9")


@pytest.mark.parametrize(
    ("text", "task", "words"),
    [
        ("1,g\n2,h\n", "regression", "names such as 'g', and regression needs numbers"),
        ("1,3\n2,3\n", None, "the target is the same in all 2 rows"),
    ],
)
def test_what_cannot_be_compared_is_told(write, text, task, words):
    with pytest.raises(DataError, match=words):
        opened(Wanted(str(write("file", text)), task=task))


def test_names_that_are_neither_dataset_nor_file():
    with pytest.raises(DataError, match=r"Did you mean 'bank'\?.* Nor is there such a file"):
        opened(Wanted("bnak"))
    with pytest.raises(DataError, match="for regression; leave --task out"):
        opened(Wanted("bank", task="classification"))
    with pytest.raises(DataError, match="--target is for files"):
        opened(Wanted("bank", target="x"))


def test_the_order_is_that_of_the_file_or_a_counted_permutation(regression):
    assert (regression.arranged(False, 3).y == regression.y).all()
    first, second = regression.arranged(True, 0), regression.arranged(True, 1)
    assert (first.y != second.y).any() and (np.sort(first.y) == np.sort(regression.y)).all()
    assert (first.X == regression.arranged(True, 0).X).all()


def test_the_first_rows_are_those_of_the_permutation(table):
    whole = opened(Wanted(str(table()), shuffle=True))
    few = opened(Wanted(str(table()), shuffle=True, rows=30))
    assert few.rounds == 30 and few.span == whole.span
    assert (few.arranged(True, 2).y == whole.arranged(True, 2).y[:30]).all()
    head = opened(Wanted(str(table()), rows=30))
    assert (head.arranged(False, 2).y == whole.y[:30]).all()
