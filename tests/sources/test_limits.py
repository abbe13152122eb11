"""Hostile files: however large they are unpacked, what is held at once is bounded."""

import gzip
import itertools
import tracemalloc

import pytest
from sources.whole import everything

from kernelpick.sources import Limits, Reading, blocks, open_source
from kernelpick.sources.raw import Raw

MEGABYTE = 2**20


@pytest.fixture
def peak():
    """The most memory held since the start, in megabytes."""
    tracemalloc.start()
    yield lambda: tracemalloc.get_traced_memory()[1] / MEGABYTE
    tracemalloc.stop()


def bomb(path, *pieces):
    """A file of bytes, each so many times, packed."""
    with gzip.open(path, "wb", compresslevel=1) as file:
        for piece, times in pieces:
            for _ in range(times):
                file.write(piece)
    return str(path)


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("filler", [b"x", b'"', b",", b" ", b"\r", b"\xff", b"\0"])
def test_a_line_without_an_end_is_not_kept(tmp_path, peak, filler):
    path = bomb(tmp_path / "d.csv.gz", (b"a,b\n1,2\n", 1), (filler * MEGABYTE, 48), (b"\n3,4\n", 1))
    rows, rejects, _, _ = everything(path, limits=Limits(line=MEGABYTE))
    assert rows == [[1.0, 2.0], [3.0, 4.0]] and [one.line for one in rejects] == [3] and peak() < 24
    found = open_source(path, Reading(limits=Limits(line=MEGABYTE))).blocks()
    assert next(found).columns["a"].tolist() == [1.0]
    with pytest.raises(ValueError, match="line 3: the line is longer than the 1,048,576 bytes"):
        next(found)


@pytest.mark.parametrize("name", ["d.jsonl.gz", "d.svm.gz", "d.arff.gz", "plain.gz"])
def test_a_first_line_without_an_end_is_refused(tmp_path, peak, name):
    path = bomb(tmp_path / name, (b"@relation " if "arff" in name else b"1 ", 1), (b"x" * MEGABYTE, 48))
    try:
        _, rejects, _, _ = everything(path, limits=Limits(line=MEGABYTE))
        assert len(rejects) == 1 and "longer" in rejects[0].reason
    except ValueError as problem:
        assert "longer" in str(problem) or "@data" in str(problem)
    assert peak() < 24


def test_an_open_quote_does_not_hold_the_file(tmp_path, peak):
    path = bomb(tmp_path / "d.csv.gz", (b'a,b\n1,"\n', 1), (b"1,22222222\n" * 100_000, 2))
    count, rejects = 0, 0
    for block in open_source(path, Reading(on_error="skip")).blocks():
        count, rejects = count + block.count, rejects + len(block.rejects)
    assert count == 200_001 and rejects == 1 and peak() < 40


def test_quotes_that_open_on_every_line_take_time_in_proportion(write):
    """Each line opens a quote that the next one closes, in the wrong place."""
    lines = ['x"y,"z', '","x","z', 'a","c', '"a', '",x","z']
    for line in lines:
        rows, rejects, _, _ = everything(write("a,b\n" + f"{line}\n" * 20_000))
        assert len(rows) + len(rejects) <= 20_000 and len(rejects) + 2 * len(rows) >= 19_999


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("d.csv", ",".join(f"c{i}" for i in range(200_000)) + "\n"),
        ("d.arff", "@relation r\n" + "".join(f"@attribute a{i} real\n" for i in range(250_000)) + "@data\n"),
    ],
)
def test_too_many_columns_are_refused(write, name, text):
    with pytest.raises(ValueError, match=r"read at most|without a line @data"):
        open_source(write(text, name))


def test_new_columns_in_every_row_end_at_the_limit(write):
    text = "".join(f'{{"k{i}": 1}}\n' for i in range(300))
    found, rejects, _, _ = everything(write(text, "d.jsonl"), limits=Limits(columns=100))
    assert len(found) == 100 and len(rejects) == 200 and "more than 100 different columns" in rejects[0].reason


def test_wide_rows_come_in_smaller_blocks(write, monkeypatch):
    monkeypatch.setattr(blocks, "CELLS", 1000)
    header = ",".join(f"c{i}" for i in range(90))
    row = ",".join(itertools.repeat("1", 90))
    found = list(open_source(write(f"{header}\n" + f"{row}\n" * 60)).blocks())
    assert [block.count for block in found] == [11, 11, 11, 11, 11, 5]


def test_a_reading_that_is_left_does_not_close_the_file_of_the_next(tmp_path):
    """Whoever left it half way may be cleaned up at any time, when the next has begun."""
    path = tmp_path / "long.csv"
    path.write_bytes(b"a,b\n" + b"1,2\n" * 2_000_000)
    raw = Raw(str(path))
    left, whole = raw.chunks(), raw.chunks()
    next(left)
    first = next(whole)
    left.close()
    assert first + b"".join(whole) == path.read_bytes()
