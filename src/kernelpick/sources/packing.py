"""Packed files, unpacked piece by piece: gzip and zstd, told by their first bytes."""

import gzip
import io
import zlib
from collections.abc import Callable, Iterator
from typing import Any

from kernelpick.files.errors import DataError, at

CHUNK = 2**20
FRESH = "get a fresh copy of the file"
FED = 2**10  # bytes of zstd at a time, which can become 30,000 times as many


class Broken(Exception):
    """What is wrong with packed data, for whoever knows the line."""


def gunzipped(file: Any, name: str) -> Iterator[bytes]:
    unpacked = gzip.GzipFile(fileobj=file)
    try:
        while data := unpacked.read1(CHUNK):
            yield data
    except EOFError:
        raise cut_short("gzip") from None
    except (gzip.BadGzipFile, zlib.error) as problem:
        raise Broken(
            f"the gzip data are readable up to this line but damaged ({problem}); get a fresh copy"
        ) from problem


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
        raise Broken(
            f"the zstd data are readable up to this line but damaged ({problem}); get a fresh copy"
        ) from problem
    if decompressor is not None:
        raise cut_short("zstd")


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


def cut_short(packing: str) -> Broken:
    return Broken(f"the {packing} data break off after this line; the file is cut short, get a complete copy")


PACKINGS = {b"\x1f\x8b": gunzipped, b"\x28\xb5\x2f\xfd": unzstd}


def unpacked(file: io.BufferedReader, name: str) -> Iterator[bytes]:
    """The bytes of a file as they were before it was packed, if it was; where that fails, the line is told."""
    start = file.peek(4)
    unpack = next((read for magic, read in PACKINGS.items() if start.startswith(magic)), None)
    if unpack is None:
        while data := file.read1(CHUNK):
            yield data
        return
    line = 0
    try:
        for data in unpack(file, name):
            line += data.count(b"\n")
            yield data
    except Broken as problem:
        raise at(name, line, str(problem)) from problem
