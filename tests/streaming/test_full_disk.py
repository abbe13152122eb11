"""Each write, sync, link and rename fails once, as on a full disk: one sentence, a model that loads, and it goes on."""

import errno
import os

import pytest
from streaming_commands import contents, run, write_numbers

import kernelpick
from kernelpick.files import saving
from kernelpick.streaming import appended


class Full:
    """Counts what may fail, and lets one of it fail."""

    def __init__(self, fails_at: int | None) -> None:
        self.count, self.fails_at = 0, fails_at

    def happens(self) -> bool:
        self.count += 1
        return self.count == self.fails_at

    def check(self, path) -> None:
        if self.happens():
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))


class File:
    """A file of which half is written when the disk is full."""

    def __init__(self, file, full: Full) -> None:
        self._file, self._full = file, full

    def write(self, content):
        if self._full.happens():
            self._file.write(content[: len(content) // 2])
            self._file.flush()
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return self._file.write(content)

    def __getattr__(self, name):
        return getattr(self._file, name)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._file.close()


class System:
    """The module os, some of whose calls fail."""

    def __init__(self, full: Full) -> None:
        self._full = full

    def __getattr__(self, name):
        real = getattr(os, name)
        if name not in ("fsync", "replace", "link"):
            return real

        def call(*arguments):
            self._full.check(arguments[-1])
            return real(*arguments)

        return call


def attempt(arguments, full: Full, monkeypatch) -> int:
    def opened(path, mode="r", **further):
        file = open(path, mode, **further)  # noqa: SIM115
        return File(file, full) if mode in ("xb", "wb", "r+b") else file

    with monkeypatch.context() as patch:
        for module in (saving, appended):
            patch.setattr(module, "open", opened, raising=False)
            patch.setattr(module, "os", System(full))
        return run(*arguments)


def arguments(folder, source):
    files = ("--model", folder / "m", "--predictions", folder / "p.csv", "--rejects", folder / "r.csv")
    return source, "--target", "y", *files, "--checkpoint-every", "60", "--on-error", "skip", "--quiet", "--resume"


@pytest.fixture
def source(tmp_path):
    path = write_numbers(tmp_path / "s.csv", 180)
    path.write_text(path.read_text().replace("Bonn,", "Bonn", 3))  # three rows that lack a field
    return path


def test_every_failure_is_survived(source, tmp_path, monkeypatch, capsys):
    whole, again = tmp_path / "whole", tmp_path / "again"
    whole.mkdir()
    full = Full(None)
    assert attempt(arguments(whole, source), full, monkeypatch) == 0
    expected, total = contents(whole), full.count
    assert total > 20
    failures = 0
    for fails_at in range(1, total + 1):
        again.mkdir()
        code = attempt(arguments(again, source), Full(fails_at), monkeypatch)
        told = capsys.readouterr().err
        if code:
            failures += 1
            assert code == 2 and told.count("\n") == 1 and "No space left on device" in told, told
        if (again / "m").exists():
            kernelpick.load(again / "m")
        assert run(*arguments(again, source)) == 0
        assert contents(again) == expected, fails_at
        for path in again.iterdir():
            path.unlink()
        again.rmdir()
    assert failures > total / 2  # a folder that can't be synced, or a link that can't be made, is no failure


def test_an_old_model_stays(source, tmp_path, monkeypatch, capsys):
    assert run(source, "--target", "y", "--model", tmp_path / "m", "--on-error", "skip", "--quiet") == 0
    before = (tmp_path / "m").read_bytes()
    code = attempt(
        (source, "--target", "y", "--model", tmp_path / "m", "--on-error", "skip", "--overwrite", "--seed", 1),
        Full(1), monkeypatch,
    )  # fmt: skip
    assert code == 2 and (tmp_path / "m").read_bytes() == before
    assert f"{tmp_path / 'm'}: No space left on device." in capsys.readouterr().err
