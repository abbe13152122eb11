"""The bytes of a file or of standard input: unpacked, and as UTF-8 whatever the encoding was.

Bytes that the encoding does not know stay in as a byte that UTF-8 does not know, so that the record it is in can be
told.
"""

import codecs
import hashlib
import io
import select
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from kernelpick.files.errors import DataError
from kernelpick.sources.packing import CHUNK, unpacked

STDIN = "standard input"
BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
        (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))  # fmt: skip
HEAD_LINES, HEAD_BYTES = 20, 2**16  # from which the format is told
FIRST_BYTES = 2**16  # which a resumed run compares
KEEP = "kernelpick.keep"

codecs.register_error(KEEP, lambda problem: ("\udcff", getattr(problem, "end", 0)))


class Counted(io.RawIOBase):
    """A file that tells how much of it was read."""

    def __init__(self, file: Any) -> None:
        self.file, self.count = file, 0
        self._read = getattr(file, "readinto1", file.readinto)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        count = self._read(buffer) or 0
        self.count += count
        return int(count)

    def close(self) -> None:
        self.file.close()
        super().close()

    def idle(self) -> bool:
        """Whether a pipe has nothing to read now, so that what came is worth handing on."""
        try:
            return not select.select([self.file], [], [], 0.02)[0]
        except (OSError, ValueError):  # no pipe, or a system that can't tell
            return False


class Raw:
    """One file, or standard input, which can be read once."""

    def __init__(self, path: str | None, encoding: str | None = None, limit: int = 2**24) -> None:
        self.path, self.name = path, path or STDIN
        self._file = Counted(_opened(path))
        self.size = None if path is None else Path(path).stat().st_size
        self._stated = encoding
        self.encoding = encoding or "utf-8"
        self._chunks: Iterator[bytes] | None = self._decoded()
        self.head = b""  # the first lines at least
        try:
            while self._wants_more(limit) and (more := next(self._chunks, b"")):
                self.head += more
        except DataError as problem:
            if not self.head:
                raise
            self._chunks = _failing(problem)  # once what came before it was read
        # A file that knows carriage returns alone has no other ends of lines.
        self.returns = b"\r" in self.head[:HEAD_BYTES] and b"\n" not in self.head[:HEAD_BYTES]
        if path is not None:  # it is opened again when it is read: a folder may have more files than may be open
            self._file.close()
            self._chunks = None

    def _wants_more(self, limit: int) -> bool:
        lines = max(self.head.count(b"\n"), self.head.count(b"\r"))
        return len(self.head) <= limit and lines <= HEAD_LINES and (len(self.head) < HEAD_BYTES or not lines)

    def first_lines(self) -> bytes:
        """The first line, and those after it that are near: always the same, however much of the file came at once."""
        head = self.head.replace(b"\r", b"\n") if self.returns else self.head
        end = 0
        for count in range(HEAD_LINES):
            following = head.find(b"\n", end) + 1
            if not following and len(head) < HEAD_BYTES:
                return head  # all there is
            if not following or (following > HEAD_BYTES and count):
                break
            end = following
        return head[:end] if end else head

    @property
    def done(self) -> int:
        """Bytes of the file read so far."""
        return self._file.count

    def chunks(self) -> Iterator[bytes]:
        """All bytes from the beginning, of lines that end with a line feed."""
        file = None
        if self.path is not None:
            self._file = file = Counted(_opened(self.path))
            chunks = self._decoded()
        elif self._chunks is not None:
            chunks, self._chunks = chain([self.head], self._chunks), None
        else:
            raise DataError("Standard input can be read once only.")
        try:
            for data in chunks:
                yield data.replace(b"\r", b"\n") if self.returns else data
        finally:
            if file is not None:  # its own: another reading may have begun
                file.close()

    def _decoded(self) -> Iterator[bytes]:
        chunks = self._gathered(unpacked(io.BufferedReader(self._file, CHUNK), self.name))
        start = b""
        while len(start) < 4 and (more := next(chunks, b"")):
            start += more
        named = next((name for bom, name in BOMS if start.startswith(bom)), None)
        self.encoding = self._stated or named or "utf-8"
        if self.encoding == "utf-8":
            yield start.removeprefix(codecs.BOM_UTF8)
            yield from chunks
            return
        decoder = codecs.getincrementaldecoder(self.encoding)(KEEP)
        for data in chain([start], chunks):
            yield decoder.decode(data).encode("utf-8", "surrogateescape")
        yield decoder.decode(b"", final=True).encode("utf-8", "surrogateescape")

    def _gathered(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        """In larger ones, since each has its costs; but what a slow pipe gave is not held back."""
        held: list[bytes] = []
        size = 0
        try:
            for piece in pieces:
                held.append(piece)
                size += len(piece)
                if size >= CHUNK or (self.path is None and self._file.idle()):
                    yield b"".join(held)
                    held, size = [], 0
        except DataError:
            if held:
                yield b"".join(held)
            raise
        if held:
            yield b"".join(held)


def _failing(problem: DataError) -> Iterator[bytes]:
    raise problem
    yield b""


def _opened(path: str | None) -> Any:
    if path is None:
        if sys.stdin is None:
            raise DataError("There is no standard input to read from; name a file instead of -.")
        return sys.stdin.buffer
    try:
        return Path(path).open("rb", buffering=0)
    except OSError as problem:
        raise DataError(f"{path} cannot be read: {problem.strerror or problem}.") from problem


def fingerprint(path: str) -> dict[str, Any]:
    """What tells a file from another, without reading it all."""
    with _opened(path) as file:
        first = file.read(FIRST_BYTES)
        return {"size": Path(path).stat().st_size, "first": hashlib.sha256(first).hexdigest()}
