"""Where a file is looked for."""

import pytest

from kernelpick.files.errors import DataError
from kernelpick.lab.datasets import fetch


@pytest.fixture
def places(tmp_path, home, monkeypatch):
    """The three folders, in the order of the search."""
    named = [tmp_path / "given", tmp_path / "variable"]
    for folder in [*named, home]:
        folder.mkdir(parents=True)
    monkeypatch.setenv("KERNELPICK_DATA", str(named[1]))
    return [*named, home]


def test_the_given_folder_then_the_variable_then_the_cache(entry, places):
    assert fetch.folders(places[0]) == places
    assert fetch.find(entry, places[0]) is None
    for folder in reversed(places):
        (folder / "small.data").write_bytes(b"")
        assert fetch.find(entry, places[0]) == folder / "small.data"


@pytest.mark.parametrize("name", ["small.data.gz", "little.data", "little.data.gz"])
def test_other_names_and_packed_files(entry, places, name):
    (places[1] / name).write_bytes(b"")
    assert fetch.find(entry) == places[1] / name


def test_a_folder_is_not_a_file(entry, places):
    (places[1] / "small.data").mkdir()
    assert fetch.find(entry) is None


def test_a_named_folder_that_is_missing_is_an_error_not_a_download(entry, home, tmp_path, monkeypatch):
    with pytest.raises(DataError, match=r"--data names .*absent, which is not a folder"):
        fetch.obtain(entry, tmp_path / "absent")
    monkeypatch.setenv("KERNELPICK_DATA", str(tmp_path / "gone"))
    with pytest.raises(DataError, match=r"KERNELPICK_DATA names .*gone, which is not a folder"):
        fetch.obtain(entry)


def test_without_download_the_error_says_where_was_searched(entry, places):
    with pytest.raises(DataError) as told:
        fetch.obtain(entry, places[0], allow_download=False)
    assert all(str(folder) in str(told.value) for folder in places) and entry.url in str(told.value)


def test_a_file_that_is_there_is_not_downloaded(entry, places):
    (places[2] / "small.data").write_bytes(b"")
    assert fetch.obtain(entry) == places[2] / "small.data"
