"""Files that a run adds to, and the lines in them."""

import csv
import io

import numpy as np
import pytest

from kernelpick.sources import Reject
from kernelpick.streaming import lines
from kernelpick.streaming.appended import Appended, check_ours


def test_a_file_goes_on_where_it_was(tmp_path):
    path = tmp_path / "out.csv"
    file = Appended(path, b"head\n")
    file.write(b"one\n")
    file.sync()
    kept = file.length
    file.write(b"two\n" * 100_000)  # more than waits
    file.close()
    assert path.stat().st_size > kept == 9
    file = Appended(path, b"head\n", kept)
    file.write(b"three\n")
    file.sync()
    file.close()
    assert path.read_bytes() == b"head\none\nthree\n" and file.length == 15


def test_a_file_that_has_become_shorter_is_refused(tmp_path):
    path = tmp_path / "out.csv"
    path.write_bytes(b"head\n")
    with pytest.raises(ValueError, match="has 5 bytes where the checkpoint has seen 9"):
        Appended(path, b"head\n", 9)
    assert path.read_bytes() == b"head\n"


@pytest.mark.parametrize("content", [b"", b"ro", b"row,prediction,label\n1,2,3\n"])
def test_what_a_run_has_left_may_be_begun_anew(content, tmp_path):
    (tmp_path / "out.csv").write_bytes(content)
    check_ours(tmp_path / "out.csv", lines.header(False))


def test_what_no_run_has_written_is_left_alone(tmp_path):
    (tmp_path / "out.csv").write_bytes(b"my thesis")
    with pytest.raises(ValueError, match="no run has written it"):
        check_ours(tmp_path / "out.csv", lines.header(False))


def test_predictions_are_read_back_as_they_were():
    labels = ["a,b", 'say "no"', "two\nlines", None, "plain"]
    said = [0.1 + 0.2, 1e300, -0.0, None, 5e-324]
    content = lines.header(False) + lines.predictions(np.arange(5) + 7, said, labels)
    rows = list(csv.DictReader(io.StringIO(content.decode(), newline="")))
    assert [row["row"] for row in rows] == ["8", "9", "10", "11", "12"]
    assert [float(row["prediction"]) if row["prediction"] else None for row in rows] == said
    assert [row["label"] or None for row in rows] == labels


def test_rejects_are_one_record_each():
    bad = [
        Reject(3, "a.csv", 5, "price", "x\0" * 500, "is no number"),
        Reject(4, "a.csv", 6, "", "p,\nq", "too, short"),
    ]
    rows = list(csv.reader(io.StringIO((lines.REJECTS + lines.rejects(bad)).decode())))
    assert len(rows) == 3 and rows[1][:4] == ["4", "a.csv", "5", "price"] and len(rows[1][4]) <= 203
    assert rows[2] == ["5", "a.csv", "6", "", "p,\\nq", "too, short"]
