"""The results on disk: one writer at a time, and readers that change nothing."""

import subprocess
import sys

import pytest

from kernelpick.files.errors import DataError
from kernelpick.lab.running.journal import Journal, JournalLayout

LAYOUT = JournalLayout(("name", "value"), ("name",), lambda row, curves: (row["value"], *curves))
HOLD = """
import sys
from pathlib import Path
from kernelpick.lab.running.journal import Journal, JournalLayout
layout = JournalLayout(("name", "value"), ("name",), lambda row, curves: row["value"])
with Journal(Path(sys.argv[1]), layout) as journal:
    journal.add({"name": "theirs", "value": "7"})
    print("writing", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def other(tmp_path):
    """Another process that holds the journal of the folder."""
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "writing\n"
        yield process
        process.kill()


def test_a_second_writer_is_refused_until_the_first_has_ended(tmp_path, other):
    mine = Journal(tmp_path, LAYOUT)
    with pytest.raises(DataError, match=r"Another kernelpick command is writing to .*: wait until it has ended"), mine:
        pass
    assert mine["theirs",] == ("7",)  # reading needs no lock
    other.communicate()
    with mine:
        mine.add({"name": "mine", "value": "1"}, [1, 2])
    assert set(Journal(tmp_path, LAYOUT)) == {("theirs",), ("mine",)}


def test_a_writer_that_was_killed_blocks_nobody(tmp_path, other):
    other.kill()
    other.wait()
    with Journal(tmp_path, LAYOUT) as mine:
        mine.add({"name": "mine", "value": "1"})
    assert set(Journal(tmp_path, LAYOUT)) == {("theirs",), ("mine",)}


def test_in_one_process_too(tmp_path):
    with Journal(tmp_path, LAYOUT), pytest.raises(DataError, match="Another kernelpick command"):
        Journal(tmp_path, LAYOUT).__enter__()
    with Journal(tmp_path, LAYOUT):
        pass


def test_what_was_written_between_reading_and_writing_is_known(tmp_path):
    first = Journal(tmp_path, LAYOUT)
    with Journal(tmp_path, LAYOUT) as second:
        second.add({"name": "one", "value": "1"})
    assert ("one",) not in first
    with first:
        assert first["one",] == ("1",)


@pytest.mark.parametrize("name", ["results.csv", "curves.jsonl"])
def test_reading_does_not_touch_the_line_that_another_process_writes(tmp_path, name):
    with Journal(tmp_path, LAYOUT) as journal:
        journal.add({"name": "one", "value": "1"}, [1])
        journal.add({"name": "two", "value": "2"}, [2])
    path = tmp_path / name
    torn = path.read_bytes()[:-2]
    path.write_bytes(torn)
    assert list(Journal(tmp_path, LAYOUT)) == [("one",)] and path.read_bytes() == torn
    with Journal(tmp_path, LAYOUT) as journal:
        journal.add({"name": "two", "value": "3"}, [3])
    assert Journal(tmp_path, LAYOUT)["two",] == ("3", [3])


def test_of_two_lines_the_later_one_holds(tmp_path):
    with Journal(tmp_path, LAYOUT) as journal:
        for value in ("1", "2"):
            journal.add({"name": "one", "value": value}, value)
    assert Journal(tmp_path, LAYOUT)["one",] == ("2", "2")


def test_a_folder_that_cannot_be_locked_is_told(tmp_path):
    (tmp_path / ".lock").mkdir()
    with pytest.raises(DataError, match=r"\.lock cannot be locked \(.*\); name a folder where files"):
        Journal(tmp_path, LAYOUT).__enter__()


def test_the_columns_of_another_version_are_told(tmp_path):
    with Journal(tmp_path, LAYOUT) as journal:
        journal.add({"name": "mine", "value": "1"})
    before = journal.path.read_bytes()
    wider = JournalLayout(("name", "value", "more"), ("name",), LAYOUT.parse)
    with pytest.raises(DataError, match=r"results.csv, line 1: these are the columns of another version of kernelpick"):
        Journal(tmp_path, wider)
    assert journal.path.read_bytes() == before
