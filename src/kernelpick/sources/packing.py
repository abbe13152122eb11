"""Packed files, unpacked piece by piece: gzip and zstd, told by their first bytes."""

import gzip
import io
import zlib
from collections.abc import Callable, Iterator
from typing import Any

from kernelpick.files.errors import DataError

CHUNK = 2**20
FED = 2**10  # bytes of zstd at a time, which can become 30,000 times as many


def plain(file: Any, name: str) -> Iterator[bytes]:
    while data := file.read1(CHUNK):
        yield data


def gunzipped(file: Any, name: str) -> Iterator[bytes]:
    unpacked = gzip.GzipFile(fileobj=file)
    try:
        while data := unpacked.read1(CHUNK):
            yield data
    except EOFError:
        raise cut_short(name, "gzip") from None
    except (gzip.BadGzipFile, zlib.error) as problem:
        raise DataError(f"{name}: the gzip data are damaged ({problem}); get a fresh copy of the file.") from problem


def unzstd(file: Any, name: str) -> Iterator[bytes]:
    fresh, failure = _decompressor(name)
    decompressor = None
    try:
        while data := file.read1(FED):
            while data:
                decompressor = decompressor or fresh()
                if unpacked := decompressor.decompress(data):
                    yield unpacked
                data = decompressor.unused_data if decompressor.eof else b""
                decompressor = None if decompressor.eof else decompressor
    except failure as problem:
        raise DataError(f"{name}: the zstd data are damaged ({problem}); get a fresh copy of the file.") from problem
    if decompressor is not None:
        raise cut_short(name, "zstd")


def _decompressor(name: str) -> tuple[Callable[[], Any], type[Exception]]:
    """Python's own from 3.14 on, else that of a library."""
    try:
        from compression.zstd import ZstdDecompressor, ZstdError

        return ZstdDecompressor, ZstdError
    except ImportError:
        pass
    try:
        import zstandard
    except ImportError:
        raise DataError(
            f"{name} is packed by zstd, which takes a library: pip install 'kernelpick[files]', or unpack it first."
        ) from None
    return lambda: zstandard.ZstdDecompressor().decompressobj(), zstandard.ZstdError


def cut_short(name: str, packing: str) -> DataError:
    return DataError(f"{name}: the {packing} data break off; the file is cut short, get a complete copy.")


PACKINGS = {b"\x1f\x8b": gunzipped, b"\x28\xb5\x2f\xfd": unzstd}


def unpacked(file: io.BufferedReader, name: str) -> Iterator[bytes]:
    """The bytes of a file as they were before it was packed, if it was."""
    start = file.peek(4)
    return next((read for magic, read in PACKINGS.items() if start.startswith(magic)), plain)(file, name)
