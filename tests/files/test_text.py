"""Damage below the format: gzip cut or corrupted, folders and files that cannot be read."""

import gzip
import re

import pytest

from kernelpick.files import arff, csv, libsvm, text
from kernelpick.files.errors import DataError

ROWS = 2_000
HEADER = "@relation r\n@attribute a real\n@attribute b real\n@data\n"
CONTENT = {
    csv: "".join(f"{i * 0.37:.6f},{i * i % 101}\n" for i in range(ROWS)),
    libsvm: "".join(f"{i * i % 101} 1:{i * 0.37:.6f}\n" for i in range(ROWS)),
    arff: HEADER + "".join(f"{i * 0.37:.6f},{i * i % 101}\n" for i in range(ROWS)),
}
FORMATS = pytest.mark.parametrize("reader", CONTENT, ids=lambda module: module.__name__.rsplit(".")[-1])


@FORMATS
@pytest.mark.parametrize("kept", [3, 9, 30, 0.1, 0.5, 0.9, -9, -8, -4, -1])
def test_a_truncated_gzip(tmp_path, reader, kept):
    whole = gzip.compress(CONTENT[reader].encode(), mtime=0)
    path = tmp_path / "cut.gz"
    path.write_bytes(whole[: int(kept * len(whole)) if isinstance(kept, float) else kept])
    with pytest.raises(DataError) as told:
        reader.read(path, rows=ROWS)
    found = re.match(re.escape(str(path)) + r", line (\d+): the gzip data (break off|are readable)", str(told.value))
    assert found and 1 <= int(found[1]) <= ROWS + HEADER.count("\n")


@FORMATS
def test_a_corrupted_byte_anywhere_in_a_gzip(tmp_path, reader):
    whole = gzip.compress(CONTENT[reader].encode(), mtime=0)
    path = tmp_path / "bad.gz"
    X, y = reader.read(_written(path, whole))
    unplaced = []
    for position in range(10, len(whole), len(whole) // 60):
        damaged = bytearray(whole)
        damaged[position] ^= 0x10
        with pytest.raises(DataError) as told:
            reader.read(_written(path, bytes(damaged)), rows=ROWS)
        if not re.match(re.escape(str(path)) + r", line \d+: .+\.$", str(told.value), re.DOTALL):
            unplaced.append((position, str(told.value)))
    assert not unplaced and len(X) == len(y) == ROWS


def test_the_checksum_is_compared_even_when_only_the_first_rows_are_used(tmp_path):
    whole = bytearray(gzip.compress(CONTENT[csv].encode(), mtime=0))
    whole[-6] ^= 1  # in the stored checksum
    with pytest.raises(
        DataError, match=r"line 2000: the gzip data are readable up to this line but damaged \(CRC check failed"
    ):
        csv.read(_written(tmp_path / "bad.gz", bytes(whole)), first=5)


def test_a_large_file_is_not_read_to_its_end_for_a_few_rows(tmp_path, monkeypatch):
    whole = gzip.compress(CONTENT[csv].encode(), mtime=0)
    monkeypatch.setattr(text, "CHECKSUM_LIMIT", 100)
    X, _ = csv.read(_written(tmp_path / "large.gz", whole[:-4]), first=5, rows=5)
    assert len(X) == 5


def test_two_gzip_members_are_one_file(tmp_path):
    path = _written(tmp_path / "two.gz", gzip.compress(b"1,2\n") + gzip.compress(b"3,4\n"))
    assert csv.read(path)[1].tolist() == [2, 4]


@FORMATS
def test_a_folder_and_a_missing_file(tmp_path, reader):
    with pytest.raises(DataError, match=re.escape(f"{tmp_path} is a folder; name the file inside it.")):
        reader.read(tmp_path)
    missing = tmp_path / "absent"
    with pytest.raises(DataError, match=re.escape(f"{missing} cannot be read: No such file or directory.")):
        reader.read(missing)


@FORMATS
def test_a_plain_file_cut_in_the_middle_of_a_row(tmp_path, reader):
    path = _written(tmp_path / "cut", CONTENT[reader].encode()[:-4_001])
    with pytest.raises(DataError, match=re.escape(str(path)) + r", line \d+: "):
        reader.read(path, rows=ROWS)


def _written(path, content):
    path.write_bytes(content)
    return path
