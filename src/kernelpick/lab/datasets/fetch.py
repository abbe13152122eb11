"""From a dataset to its file: looked for in the folders the user named, then in the cache, else downloaded there."""

from __future__ import annotations

import os
from pathlib import Path

from kernelpick.files.errors import DataError
from kernelpick.files.text import Source
from kernelpick.lab.datasets import download
from kernelpick.lab.datasets.registry import Registered

VARIABLE = "KERNELPICK_DATA"


def cache_folder() -> Path:
    """Where downloads are kept."""
    import pooch

    return Path(pooch.os_cache("kernelpick"))


def folders(data_dir: Source | None = None) -> list[Path]:
    """The folders that are searched, in order. One that is named but missing is an error, not a reason to download."""
    named = {"--data": data_dir, VARIABLE: os.environ.get(VARIABLE)}
    given = {origin: Path(folder).expanduser() for origin, folder in named.items() if folder}
    for origin, folder in given.items():
        if not folder.is_dir():
            raise DataError(f"{origin} names {folder}, which is not a folder; correct it or leave it out.")
    return [*given.values(), cache_folder()]


def find(entry: Registered, data_dir: Source | None = None) -> Path | None:
    """The first file under one of the dataset's names, packed or not."""
    names = [name + ending for name in entry.files for ending in ("", ".gz")]
    places = (folder / name for folder in folders(data_dir) for name in names)
    return next((place for place in places if place.is_file()), None)


def obtain(entry: Registered, data_dir: Source | None = None, allow_download: bool = True) -> Path:
    """The file of a dataset, downloaded if it is nowhere and that is allowed."""
    path = find(entry, data_dir)
    if path is None and allow_download:
        path = download.fetch(entry, cache_folder())
    if path is None:
        searched = ", ".join(str(folder) for folder in folders(data_dir))
        raise DataError(
            f"{entry.name}: there is no file {entry.files[0]}, plain or .gz, in {searched}; "
            f"allow the download from {entry.url} or name the folder of the file by --data or {VARIABLE}."
        )
    return path
