"""Downloads, from a server on the loopback address only: complete and checked, or nothing at all."""

import gzip
import io
import json
import socket
import tarfile
import zipfile
from dataclasses import replace

import pytest

from kernelpick.files.errors import DataError
from kernelpick.lab.datasets import bar, download, fetch, raw


def answer(body, length=None, status=200):
    return status, len(body) if length is None else length, body


def refused(entry, folder):
    """The sentence of a download that must fail, and must leave nothing behind."""
    with pytest.raises(DataError) as told:
        download.fetch(entry, folder)
    assert list(folder.iterdir()) == []
    sentence = str(told.value)
    assert sentence.startswith(f"small could not be downloaded from {entry.url}: ") and "\n" not in sentence
    assert ".partial" not in sentence and entry.home in sentence
    return sentence


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_a_download_is_kept_and_found_again(entry, content, home, serve, pack):
    entry = replace(entry, url=serve({"/small": answer(pack(content))}) + "/small")
    path = fetch.obtain(entry)
    assert path == home / "small.data.gz" == fetch.find(entry)
    assert [file.name for file in home.iterdir()] == ["small.data.gz"]
    assert gzip.decompress(path.read_bytes()) == content
    assert raw.read(entry, path)[0].shape == (200, 2)


def test_a_server_that_does_not_say_the_length(entry, content, tmp_path, serve):
    entry = replace(entry, url=serve({"/small": (200, None, content)}) + "/small")
    assert gzip.decompress(download.fetch(entry, tmp_path / "new").read_bytes()) == content


def test_only_the_first_rows_are_kept(entry, content, tmp_path, serve):
    entry = replace(entry, head=True, url=serve({"/small": answer(content + content)}) + "/small")
    assert gzip.decompress(download.fetch(entry, tmp_path).read_bytes()) == content


def test_a_file_in_a_zip(entry, content, tmp_path, serve):
    body = zipped({"notes.txt": b"-", "inner/small.csv.gz": gzip.compress(content)})
    entry = replace(entry, url=serve({"/z": answer(body)}) + "/z", members=("small.csv.gz",))
    assert gzip.decompress(download.fetch(entry, tmp_path).read_bytes()) == content


def test_a_file_in_a_tar_in_a_zip(entry, content, tmp_path, serve):
    inner = io.BytesIO()
    with tarfile.open(fileobj=inner, mode="w:gz") as tar:
        for name, body in {"./regression/other.data": b"1,2\n", "./regression/small.data": content}.items():
            info = tarfile.TarInfo(name)
            info.size = len(body)
            tar.addfile(info, io.BytesIO(body))
    body = zipped({"regression.tar.gz": inner.getvalue()})
    members = ("regression.tar.gz", "regression/small.data")
    entry = replace(entry, url=serve({"/z": answer(body)}) + "/z", members=members)
    assert gzip.decompress(download.fetch(entry, tmp_path).read_bytes()) == content


def test_a_description_names_the_file(entry, content, tmp_path, serve):
    answers = {"/file": answer(content)}
    server = serve(answers)
    answers["/558"] = answer(json.dumps({"data_set_description": {"url": f"{server}/file"}}).encode())
    path = download.fetch(replace(entry, url=f"{server}/558", described=True), tmp_path)
    assert gzip.decompress(path.read_bytes()) == content


@pytest.mark.parametrize("body", [b"<html>", b"[]", b'{"data_set_description": {}}', b'"text"'])
def test_a_description_that_names_no_file(entry, tmp_path, serve, body):
    entry = replace(entry, url=serve({"/558": answer(body)}) + "/558", described=True)
    assert "the description of the dataset names no file" in refused(entry, tmp_path)


@pytest.mark.parametrize("share", [0.0, 0.5, 0.99])
def test_a_cut_connection(entry, content, tmp_path, serve, share):
    body = content[: int(share * len(content))]
    entry = replace(entry, url=serve({"/small": answer(body, length=len(content))}) + "/small")
    assert "the connection was cut before the end of the file" in refused(entry, tmp_path)


@pytest.mark.parametrize("body", [b"<html>sorry</html>", b"1,2,g\n" * 10_000], ids=["small", "large"])
def test_a_wrong_size(entry, tmp_path, serve, body):
    entry = replace(entry, url=serve({"/small": answer(body)}) + "/small")
    assert f"{len(body):,} bytes came where about" in refused(entry, tmp_path)


def test_a_wrong_shape(entry, content, tmp_path, serve):
    lines = content.splitlines(keepends=True)
    server = serve({"/short": answer(b"".join(lines[:-7])), "/wide": answer(content.replace(b",g", b",0,g"))})
    short = refused(replace(entry, url=f"{server}/short"), tmp_path)
    assert "small.data.gz, line 193: this is the last of 193 rows where 200 are expected" in short
    wide = refused(replace(entry, url=f"{server}/wide"), tmp_path)
    assert "small.data.gz, line 1: 4 value(s) where 3 are expected" in wide


def test_not_found_and_no_server(entry, tmp_path, serve):
    server = serve({})
    assert "the server answered 404 Not Found" in refused(replace(entry, url=f"{server}/gone"), tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    assert "no connection" in refused(replace(entry, url=f"http://127.0.0.1:{port}/small"), tmp_path)


def test_a_silent_server(entry, tmp_path, monkeypatch):
    monkeypatch.setattr(download, "SILENCE", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        entry = replace(entry, url=f"http://127.0.0.1:{deaf.getsockname()[1]}/small")
        assert "the server was silent for 0.2 seconds" in refused(entry, tmp_path)


def test_archives_that_are_damaged_or_lack_the_file(entry, content, tmp_path, serve):
    good = zipped({"other.data": content})
    spoilt = zipped({"small.data": content}).replace(content[500:520], b"x" * 20)
    server = serve({"/other": answer(good), "/none": answer(content), "/spoilt": answer(spoilt)})
    entry = replace(entry, members=("small.data",))
    assert "holds other.data, but no small.data" in refused(replace(entry, url=f"{server}/other"), tmp_path)
    assert "the archive is damaged" in refused(replace(entry, url=f"{server}/none"), tmp_path)
    assert "the archive is damaged" in refused(replace(entry, url=f"{server}/spoilt"), tmp_path)


def test_an_interrupt_leaves_nothing_behind(entry, content, tmp_path, serve, monkeypatch):
    seen = []

    def interrupt(self, size):
        seen.extend(file for file in tmp_path.rglob("*") if file.is_file())
        raise KeyboardInterrupt

    monkeypatch.setattr(bar.Bar, "update", interrupt)
    with pytest.raises(KeyboardInterrupt):
        download.fetch(replace(entry, url=serve({"/small": answer(content)}) + "/small"), tmp_path)
    assert len(seen) == 1 and list(tmp_path.iterdir()) == []


def test_an_old_file_survives_a_failed_download(entry, tmp_path, serve):
    (tmp_path / "small.data.gz").write_bytes(b"old")
    with pytest.raises(DataError):
        download.fetch(replace(entry, url=serve({}) + "/gone"), tmp_path)
    assert (tmp_path / "small.data.gz").read_bytes() == b"old"


def test_a_folder_that_cannot_be_written(entry, tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(DataError, match="small could not be downloaded"):
        download.fetch(entry, tmp_path / "file")


def test_the_bar_counts_bytes(capsys):
    with bar.bar("small") as shown:
        shown.total = 1_000
        shown.update(600)
        shown.update(600)
        shown.reset()
        shown.update(1_000)
        shown.close()
        assert shown.total == 1_000
    shown = capsys.readouterr()
    assert "small" in shown.err and "1.0/1.0 kB" in shown.err and shown.out == ""


def zipped(files):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, body in files.items():
            archive.writestr(name, body)
    return packed.getvalue()
