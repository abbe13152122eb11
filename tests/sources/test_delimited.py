"""CSV and TSV: what is recognised, what a record is, and the same values by either way of reading."""

import codecs
import csv
import datetime
import gzip
import io
import random

import pytest
from sources import plain_csv
from sources.whole import everything

from kernelpick.sources import Limits, Reading, cells, open_source

pytestmark = pytest.mark.usefixtures("way")

MESSY = (
    "\ufeffid;when;city;rooms;note;price\r\n"
    'A-1;2024-05-01;"Bonn; am Rhein";3;"big, ""bright""\r\nand quiet";1250.50\r\n'
    'A-2;2024-05-02 10:30;Köln;;5" nail;NA\r\n'
    "\r\n"
    'A-3;;"Kiel";2;"";980\r\n'
)


def test_a_messy_file_is_read_at_the_first_attempt(write):
    rows, rejects, numbers, source = everything(write(MESSY))
    assert source.names == ("id", "when", "city", "rooms", "note", "price") and not rejects and numbers == [0, 1, 2]
    assert source.notes == [f"{source.name}: fields are parted by semicolons."]
    assert rows == [
        ["A-1", datetime.datetime(2024, 5, 1), "Bonn; am Rhein", 3.0, 'big, "bright"\r\nand quiet', 1250.5],
        ["A-2", datetime.datetime(2024, 5, 2, 10, 30), "Köln", None, '5" nail', None],
        ["A-3", None, "Kiel", 2.0, None, 980.0],
    ]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_delimiters_and_ends_of_lines(write, delimiter, end):
    text = end.join(["a,b,c", "1,x y,2024-01-01", "2,z,"]).replace(",", delimiter)
    rows, rejects, _, source = everything(write(text))
    assert source.names == ("a", "b", "c") and not rejects
    assert rows == [[1.0, "x y", datetime.datetime(2024, 1, 1)], [2.0, "z", None]]


@pytest.mark.parametrize(
    ("encoding", "stated"),
    [("utf-8", None), ("utf-8-sig", None), ("utf-16", None), ("utf-32", None), ("utf-16-le", "utf-16-le"),
     ("cp1252", "cp1252"), ("latin-1", "latin-1"), ("gb18030", "gb18030")],
)  # fmt: skip
def test_encodings(write, encoding, stated):
    text = "größe,city\n1,Köln\n2,Århus\n" if encoding != "gb18030" else "größe,city\n1,北京\n2,上海\n"
    if encoding == "gb18030":
        text = text.replace("ö", "o").replace("ß", "s")
    rows, rejects, _, source = everything(write(text.encode(encoding)), encoding=stated)
    expected = list(csv.reader(io.StringIO(text)))
    assert list(source.names) == expected[0] and not rejects
    assert rows == [[float(one), two] for one, two in expected[1:]]


def test_bytes_of_another_encoding_are_told_with_line_and_column(write):
    rows, [reject], _, _ = everything(write(b"id,city\n1,Bonn\n2,K\xf6ln\n3,Kiel\n"))
    assert rows == [[1.0, "Bonn"], [3.0, "Kiel"]]
    assert (reject.number, reject.line, reject.column) == (1, 3, "city") and "--encoding cp1252" in reject.sentence


def test_half_a_character_of_utf_16_is_a_bad_record(write):
    data = codecs.BOM_UTF16_LE + "a,b\n1,x\n2,".encode("utf-16-le") + b"\x00\xd8" + "\n3,y\n".encode("utf-16-le")
    rows, [reject], _, _ = everything(write(data))
    assert rows == [[1.0, "x"], [3.0, "y"]] and reject.line == 3


@pytest.mark.parametrize(
    ("text", "header", "names", "count", "told"),
    [
        ("a,b\n1,2\n", None, ("a", "b"), 1, ""),
        ("1,2\n3,4\n", None, ("1", "2"), 2, "holds no names"),
        ("1,2\n3,4\n", True, ("1", "2"), 1, ""),
        ("a,b\nc,d\n", False, ("1", "2"), 2, ""),
        ("1.5,2,g\n3,4,h\n", None, ("1", "2", "3"), 2, "holds numbers"),  # a class at the end
        ("year,2019,2020\n1,2,3\n", None, ("year", "2019", "2020"), 1, "though some of its names are numbers"),
        (",a\n0,1\n", None, ("column 1", "a"), 1, "has no name"),
    ],
)
def test_headers(write, text, header, names, count, told):
    rows, _, _, source = everything(write(text), header=header)
    assert source.names == names and len(rows) == count
    assert told in " ".join(source.notes) and bool(told) == bool(source.notes)


def test_two_columns_of_one_name_are_refused(write):
    with pytest.raises(ValueError, match=r"two columns have the name 'a'; rename one of them, or say --header no"):
        open_source(write("a,b,a\n1,2,3\n"))


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ("1,2", "2 field"), ("1,2,3,4", "4 field"), ('"1"x,2,3', "text follows a quote"),
        ('x,"2,3', "quotes do not match"),
        ("1,2\x00,3", "NUL"), ("1,inf,3", "infinite"), ("1,2,-1e400", "infinite"), ("1,2\r,3", "carriage return"),
        ("1,2," + "x" * 200_000, "longer"), ("1,2," + "x" * 3_000_000, "longer"),
    ],
)  # fmt: skip
def test_bad_records_stop_after_what_comes_before_them(write, record, reason):
    path = write(f"a,b,c\n1,2,3\n4,5,6\n{record}\n7,8,9\n")
    limits = Limits(line=2**21)
    rows, [reject], numbers, _ = everything(path, limits=limits)
    assert rows == [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]] and numbers == [0, 1, 3]
    assert reason in reject.reason and (reject.number, reject.line) == (2, 4)
    blocks = open_source(path, Reading(limits=limits)).blocks()
    assert next(blocks).columns["a"].tolist() == [1.0, 4.0]
    with pytest.raises(ValueError, match="line 4") as problem:
        next(blocks)
    assert reason in str(problem.value) and path in str(problem.value)


def test_a_quote_that_is_never_closed_costs_its_own_line(write):
    text = (
        "a,b\n"
        + "".join(f"{i},x{i}\n" for i in range(500))
        + '500,"oops\n'
        + "".join(f"{i},y\n" for i in range(501, 999))
    )
    rows, [reject], _, _ = everything(write(text))
    assert len(rows) == 998 and reject.line == 502


@pytest.mark.parametrize("seed", range(8))
def test_records_are_those_of_the_definition(write, seed):
    """Texts of few characters meet all the corners of quoting."""
    drawn = random.Random(seed)
    for _ in range(60):
        body = "".join(drawn.choices('a",\n', weights=(4, 3, 3, 2), k=drawn.randrange(2, 120)))
        text = "p,q\n" + body
        rows, rejects, _, _ = everything(write(text), header=True, delimiter=",")
        expected = plain_csv.records(body, ",")
        good = [fields for _, fields in expected if fields is not None and len(fields) == 2]
        assert len(rows) + len(rejects) == len(expected)
        assert rows == [[cells.value(cell) for cell in fields] for fields in good], repr(body)
        bad = [line + 1 for line, fields in expected if fields is None or len(fields) != 2]
        assert [reject.line for reject in rejects] == bad


@pytest.mark.parametrize("rows", [1, 7, 1024])
def test_the_cut_does_not_matter_and_records_can_be_skipped(write, rows, monkeypatch):
    from kernelpick.sources import packing, raw

    drawn = random.Random(5)
    cell = ["1", "2.5", "x", "", '"a\nb"', '"q""q"', "2024-01-01", "nan", 'in"ch', '"open']
    text = "a,b,c\n" + "".join(",".join(drawn.choices(cell, k=3)) + "\n" for _ in range(400))
    path = write(text)
    whole, rejects, numbers, _ = everything(path)
    assert rejects and len({type(row[0]) for row in whole}) == 4
    for chunk in (50, 1000):
        monkeypatch.setattr(packing, "CHUNK", chunk)
        monkeypatch.setattr(raw, "CHUNK", chunk)
        assert everything(path, rows=rows)[:3] == (whole, rejects, numbers)
        for skip in (1, 100, len(numbers) + len(rejects) - 1, 10_000):
            kept = [place for place, number in enumerate(numbers) if number >= skip]
            assert everything(path, rows=rows, skip=skip)[:3] == (
                [whole[place] for place in kept],
                [reject for reject in rejects if reject.number >= skip],
                [numbers[place] for place in kept],
            )


def test_packed_files_pipes_and_folders_give_the_same(write, pipe, tmp_path):
    text = b"a,b\n" + b"".join(b"%d,x%d\n" % (i, i % 7) for i in range(5000))
    whole = everything(write(text))[0]
    assert everything(write(gzip.compress(text), "data.csv.gz"))[0] == whole
    rows, _, _, source = everything(pipe(text))
    assert rows == whole and source.size is None and source.done == len(text) and source.name == "standard input"
    assert everything(pipe(gzip.compress(text)))[0] == whole
    with pytest.raises(ValueError, match="read once"):
        next(source.blocks())
    cuts = text.split(b"\n")
    for place, part in enumerate((cuts[1:2000], cuts[2000:2001], cuts[2001:])):
        content = b"\n".join([b"a,b", *part])
        write(gzip.compress(content) if place == 1 else content, f"folder/{place}.csv{'.gz' if place == 1 else ''}")
    write("a,b\n", "folder/.hidden")
    rows, _, numbers, source = everything(str(tmp_path / "folder"))
    assert rows == whole and numbers == list(range(5000)) and source.done == source.size
    assert everything(str(tmp_path / "folder"), skip=2500)[0] == whole[2500:]
    write("a,c\n1,2\n", "folder/9.csv")
    with pytest.raises(ValueError, match=r"9.csv has other columns than .*0.csv: it lacks 'b'"):
        open_source(str(tmp_path / "folder"))


def test_a_packed_file_that_breaks_off_gives_what_was_there(write):
    text = b"a,b\n" + b"".join(b"%d,%d\n" % (i, i * i) for i in range(100_000))
    packed = gzip.compress(text)
    for data, told in ((packed[: len(packed) // 2], "cut short"), (packed[:-6] + b"xxxxxx", "damaged")):
        blocks, count = open_source(write(data, "d.csv.gz")).blocks(), 0
        with pytest.raises(ValueError, match=told):
            for block in blocks:
                count += block.count
        assert count > 1000


def test_a_source_tells_when_it_changed(write):
    path = write("a,b\n1,2\n")
    before = open_source(path).fingerprint()
    assert open_source(path).fingerprint() == before
    for other in ("a,b\n1,3\n", "a,b\n1,2\n3,4\n", "a,c\n1,2\n"):
        assert open_source(write(other)).fingerprint() != before


@pytest.mark.parametrize("text", ["", "\n\n", "\ufeff", "  \n"])
def test_an_empty_file_is_told(write, text):
    with pytest.raises(ValueError, match="is empty"):
        open_source(write(text))


def test_a_header_alone_has_no_rows(write):
    source = open_source(write("a,b"))
    assert source.names == ("a", "b") and list(source.blocks()) == []
