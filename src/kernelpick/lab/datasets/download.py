"""A dataset downloaded from its home: it appears in the folder complete and checked, or not at all."""

from __future__ import annotations

import gzip
import json
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, cast

from kernelpick.files.errors import DataError
from kernelpick.files.text import GZIP
from kernelpick.lab.datasets import raw
from kernelpick.lab.datasets.bar import bar
from kernelpick.lab.datasets.registry import Registered

SILENCE = 60  # seconds without a byte, after which a connection is given up
# The registered sizes are rough, and archives get repacked; beyond this factor it is another file or an error page.
SIZE_FACTOR = 4.0


def fetch(entry: Registered, folder: Path) -> Path:
    """Download a dataset into a folder and say where it is."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".partial-", dir=folder) as work:
            kept = Path(work, f"{entry.files[0]}.gz")
            received = _retrieve(_address(entry, Path(work)), Path(work, "received"), entry.name)
            _check_size(entry, received.stat().st_size)
            _keep(entry, received, kept)
            raw.read(entry, kept)
            return kept.replace(folder / kept.name)
    except DataError as problem:
        # The temporary folder is gone when this is read.
        reason = str(problem).replace(str(kept), kept.name).rstrip(".")
    except (EOFError, gzip.BadGzipFile, zlib.error, zipfile.BadZipFile, tarfile.TarError, RuntimeError) as problem:
        reason = f"the archive is damaged ({problem})"
    except OSError as problem:
        reason = _told(problem)
    by_hand = f"get it by hand from {entry.home} and name its folder by --data or KERNELPICK_DATA"
    raise DataError(f"{entry.name} could not be downloaded from {entry.url}: {reason}; try again, or {by_hand}.")


def _address(entry: Registered, work: Path) -> str:
    """Where the file is: at the url, or where the description at the url says."""
    if not entry.described:
        return entry.url
    description = _retrieve(entry.url, work / "description", f"{entry.name} (description)").read_bytes()
    try:
        return str(json.loads(description)["data_set_description"]["url"])
    except (ValueError, KeyError, TypeError) as problem:
        raise DataError("the description of the dataset names no file") from problem


def _retrieve(url: str, path: Path, label: str) -> Path:
    import pooch

    with bar(label) as progress:
        pooch.HTTPDownloader(progressbar=progress, chunk_size=2**16, timeout=SILENCE)(url, str(path), None)
    return path


def _check_size(entry: Registered, size: int) -> None:
    if not entry.megabytes / SIZE_FACTOR <= size / 1e6 <= entry.megabytes * SIZE_FACTOR:
        expected = f"where about {entry.megabytes:g} MB are expected"
        raise DataError(f"{size:,} bytes came {expected}, so it is another file or an error page")


def _keep(entry: Registered, received: Path, kept: Path) -> None:
    """Write the rows that are used, packed, whatever they came in."""
    with _unpacked(received, entry.members) as source, gzip.GzipFile(kept, "wb", mtime=0) as sink:
        sink.writelines(islice(source, entry.rows if entry.head else None))


@contextmanager
def _unpacked(received: Path, members: tuple[str, ...]) -> Iterator[IO[bytes]]:
    """The file inside: the first member is in a zip, the second in a tar in that; the innermost may be gzip."""
    with ExitStack() as stack:
        file: IO[bytes] = stack.enter_context(received.open("rb"))
        if members:
            archive = stack.enter_context(zipfile.ZipFile(file))
            file = stack.enter_context(archive.open(_member(archive.namelist(), members[0])))
        if len(members) > 1:
            tar = stack.enter_context(tarfile.open(fileobj=file, mode="r:*"))
            file = cast(IO[bytes], tar.extractfile(_member(tar.getnames(), members[1])))
        packed = file.read(len(GZIP)) == GZIP
        file.seek(0)
        yield cast(IO[bytes], gzip.GzipFile(fileobj=file)) if packed else file


def _member(names: list[str], wanted: str) -> str:
    for name in names:
        if name == wanted or name.endswith(f"/{wanted}"):
            return name
    raise DataError(f"the archive holds {', '.join(names[:5]) or 'nothing'}, but no {wanted}")


def _told(problem: OSError) -> str:
    """A failed request in plain words, since the messages of requests quote its inner workings."""
    from requests import exceptions

    if isinstance(problem, exceptions.HTTPError) and problem.response is not None:
        return f"the server answered {problem.response.status_code} {problem.response.reason}".rstrip()
    words = {
        exceptions.Timeout: f"the server was silent for {SILENCE} seconds",
        exceptions.ChunkedEncodingError: "the connection was cut before the end of the file",
        exceptions.ConnectionError: "no connection, or it was lost",
    }
    return next((told for kind, told in words.items() if isinstance(problem, kind)), str(problem))
