"""Chunks of bytes cut at the ends of lines; a line that is too long is told, and not kept."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

BEGINNING = 200  # bytes of a line that is too long, to be shown


class Piece(NamedTuple):
    """Whole lines, the last of which may lack its end; or the beginning of one that is too long."""

    data: bytes
    too_long: bool = False


def pieces(chunks: Iterable[bytes], limit: int) -> Iterator[Piece]:
    """What the chunks hold, line by line at the cuts."""
    rest = b""  # of a line whose end did not come yet
    dropping = False  # the remainder of a line that was too long
    for chunk in chunks:
        if dropping:
            _, end, chunk = chunk.partition(b"\n")
            if not end:
                continue
            dropping = False
        whole, end, tail = chunk.rpartition(b"\n")
        if end:
            yield from _checked(rest + whole + end, limit)
            rest = tail
        else:
            rest += tail
        if len(rest) > limit:
            yield Piece(rest[: min(BEGINNING, limit)], too_long=True)
            rest, dropping = b"", True
    if rest:
        yield from _checked(rest, limit)


def _checked(data: bytes, limit: int) -> Iterator[Piece]:
    """Data with the lines that are too long taken out."""
    if len(data) <= limit:
        yield Piece(data)
        return
    kept: list[bytes] = []
    for line in split(data):
        if len(line) > limit + 1:
            if kept:
                yield Piece(b"".join(kept))
            yield Piece(line[: min(BEGINNING, limit)], too_long=True)
            kept = []
        else:
            kept.append(line)
    if kept:
        yield Piece(b"".join(kept))


def split(data: bytes) -> Iterator[bytes]:
    """Lines with their ends, which are line feeds alone."""
    start = 0
    while start < len(data):
        end = data.find(b"\n", start) + 1 or len(data)
        yield data[start:end]
        start = end
