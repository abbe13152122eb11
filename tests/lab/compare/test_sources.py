"""Streams: the task is found out, the order is told, and what cannot be compared is refused."""

import numpy as np
import pytest

from kernelpick.files.errors import DataError
from kernelpick.lab.compare.sources import Wanted, opened
from kernelpick.sources import Reading


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


MIXED = "id,when,city,rooms,price\n" + "".join(
    f"A{i},2024-05-{i % 28 + 1:02d},{('Bonn', 'Kiel', '')[i % 3]},{i % 5 if i % 4 else ''},{100 + i * 1.5}\n"
    for i in range(60)
)


def test_columns_of_all_kinds_become_inputs(write):
    path = str(write("mixed.csv", MIXED))
    whole = opened(Wanted(path, target="price", drop=("id",)))
    assert whole.task == "regression" and len(whole.y) == 60 and np.isfinite(whole.X).all()
    few = opened(Wanted(path, target="price", keep=("rooms",)))
    missing, rooms = few.X.T
    assert missing.tolist() == [float(i % 4 == 0) for i in range(60)]
    assert rooms[:6].tolist() == [0, 1, 2, 3, 2, 0]  # rows 0 and 4 are blank, and there was nothing before row 0


def test_no_row_tells_of_a_later_one(write):
    lines = MIXED.splitlines(keepends=True)
    whole = opened(Wanted(str(write("whole.csv", MIXED)))).X
    part = opened(Wanted(str(write("part.csv", "".join(lines[:31]))))).X
    assert (whole[:30, : part.shape[1]] == part).all() and not whole[:30, part.shape[1] :].any()


def test_what_was_recognised_is_told(write):
    classes = opened(Wanted(str(write("few.csv", "a;b\n" + "".join(f"{i};{i % 3}\n" for i in range(30))))))
    assert classes.task == "regression"
    parted, whole_numbers = classes.notes
    assert "parted by semicolons" in parted and "whole numbers 0, 1, 2 alone" in whole_numbers


def test_rows_that_cannot_be_used_stop_or_are_left_out(write):
    path = str(write("gaps.csv", "a,b\n1,2.5\n2,\n3\n4,7.5\n5,6.25\n"))
    with pytest.raises(DataError, match=r"gaps\.csv, line 3: the target 'b' is missing; fill it in, or leave"):
        opened(Wanted(path))
    left = opened(Wanted(path, reading=Reading(on_error="skip")))
    assert left.y.tolist() == [2.5, 7.5, 6.25] and left.X[:, 0].tolist() == [1, 4, 5]
    assert left.notes == (f"{path}: 2 rows were left out.",)


def test_folders_and_formats(write, tmp_path):
    folder = tmp_path / "parts"
    folder.mkdir()
    (folder / "1.jsonl").write_text('{"a": 1, "b": "x"}\n{"a": 2, "b": "y"}\n')
    (folder / "2.csv").write_text("a,b\n3,x\n")
    stream = opened(Wanted(str(folder)))
    assert stream.classes == ("x", "y") and stream.y.tolist() == [0, 1, 0] and stream.X.tolist() == [[1], [2], [3]]
    assert len(Wanted(str(folder)).paths) == 2
    svm = opened(Wanted(str(write("a.svm", "2 1:5\n3 2:1\n2.5 1:1 3:7\n"))))
    assert svm.X.tolist() == [[5, 0, 0], [0, 1, 0], [1, 0, 7]] and svm.y.tolist() == [2, 3, 2.5]
