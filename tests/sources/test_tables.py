"""Files that are tables of their own: SQLite, Parquet; and what packs or is missing."""

import datetime
import math
import sqlite3

import pytest
from sources.example_table import NAMES, WHEN, table
from sources.whole import everything

from kernelpick.sources import Reading, open_source


def test_sqlite(tmp_path):
    rows = table()
    path = tmp_path / "shop data.db"
    with sqlite3.connect(path) as connection:
        connection.execute("create table sales (number, text, 'when', flag)")
        told = [[one.isoformat(" ") if isinstance(one, datetime.datetime) else one for one in row] for row in rows]
        connection.executemany("insert into sales values (?, ?, ?, ?)", told)
    connection.close()
    for name, reading in (
        (str(path), {}),
        (f"sqlite:///{path}", {}),
        (f"sqlite:///{path}?table=sales", {}),
        (str(path), {"table": "select * from sales order by rowid"}),
        (f'sqlite:///{path}?query=SELECT number, text, "when", flag FROM sales ORDER BY rowid', {}),
    ):
        found, rejects, _, source = everything(name, **reading)
        assert found == rows and not rejects and source.names == NAMES, name
    assert everything(str(path), skip=1500)[0] == rows[1500:]
    fingerprint = source.fingerprint()
    with sqlite3.connect(path) as connection:
        connection.execute("create table 'other \"one\"' (a, b)")
        connection.execute("insert into 'other \"one\"' values (1, x'00ff'), (2, 'x'), (9e999, 1)")
    connection.close()
    with pytest.raises(ValueError, match=r'has 2 tables; name one by --table. Its tables are other "one", sales'):
        open_source(str(path))
    with pytest.raises(ValueError, match="has no table 'nothing'"):
        open_source(str(path), Reading(table="nothing"))
    with pytest.raises(ValueError, match="SQLite says: no such column"):
        open_source(f"sqlite:///{path}?query=select nope from sales")
    with pytest.raises(ValueError, match="SQLite says"):
        next(open_source(f"sqlite:///{path}?query=with x as (select 1) delete from sales").blocks())
    found, rejects, _, source = everything(str(path), table='other "one"')
    assert found == [[2.0, "x"]] and [one.column for one in rejects] == ["b", "a"]
    assert open_source(f"sqlite:///{path}?table=sales").fingerprint() != fingerprint
    with pytest.raises(ValueError, match="No such file"):
        open_source(f"sqlite:///{tmp_path}/none.db?table=t")


def test_parquet(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = table()
    path = str(tmp_path / "data")
    columns = dict(zip(NAMES, map(list, zip(*rows, strict=True)), strict=True))
    columns["flag"] = pyarrow.array([None if one is None else bool(one) for one in columns["flag"]])
    columns["text"] = pyarrow.array(columns["text"]).dictionary_encode()
    columns["span"] = pyarrow.array([1500] * 3000, pyarrow.duration("ms"))
    columns["inside"] = [[1]] * 3000
    parquet.write_table(pyarrow.table(columns), path, row_group_size=700)
    found, rejects, _, source = everything(path)
    assert found == [[*row, 1.5] for row in rows] and not rejects and source.names == (*NAMES, "span")
    assert source.notes == [f"{path}: the column 'inside' is left out, as list<element: int64> can't be learned from."]
    assert source.done == source.size and everything(path, skip=1234)[0] == found[1234:]
    zoned = pyarrow.array([WHEN.replace(tzinfo=datetime.UTC)], pyarrow.timestamp("ns", "Europe/Berlin"))
    parquet.write_table(pyarrow.table({"a": zoned, "b": [math.inf]}), path)
    _, [reject], _, source = everything(path)
    assert (reject.line, reject.column) == (1, "b")
    parquet.write_table(pyarrow.table({"a": zoned, "b": [1.0]}), path)
    assert everything(path)[0] == [[WHEN.replace(tzinfo=datetime.UTC), 1.0]]
    whole = (tmp_path / "data").read_bytes()
    (tmp_path / "data").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ValueError, match="can't be read as Parquet"):
        open_source(path)


def test_parquet_and_sqlite_do_not_come_through_a_pipe(pipe):
    for start in (b"PAR1 and more", b"SQLite format 3\0 and more"):
        with pytest.raises(ValueError, match="can't be read from standard input"):
            open_source(pipe(start))


def test_zstd(write):
    zstandard = pytest.importorskip("zstandard")
    text = b"a,b\n" + b"".join(b"%d,x%d\n" % (i, i % 7) for i in range(50_000))
    whole = everything(write(text))[0]
    packing = zstandard.ZstdCompressor(write_checksum=True)
    packed = packing.compress(text[:90_001]) + packing.compress(text[90_001:])
    assert everything(write(packed, "data.csv.zst"))[0] == whole
    for data, told in ((packed[:-50], "cut short"), (packed[:2000] + b"\xff" * 9 + packed[2009:], "damaged")):
        with pytest.raises(ValueError, match=told):
            everything(write(data, "data.csv.zst"))


def test_what_is_missing_is_named(write, monkeypatch):
    import sys

    for name in ("pyarrow", "zstandard", "compression.zstd"):
        monkeypatch.setitem(sys.modules, name, None)
    for content, name in ((b"\x28\xb5\x2f\xfd1234", "data.csv.zst"), (b"PAR1....", "data.parquet")):
        with pytest.raises(ValueError, match=r"pip install 'kernelpick\[files\]'"):
            open_source(write(content, name))
