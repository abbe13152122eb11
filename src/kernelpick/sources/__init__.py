"""Where rows come from: files of several formats, standard input, folders, tables of SQLite; read piece by piece.

    bytes (raw) -> records (lines, quotes) -> cells -> blocks of columns, and what was rejected

What a cell becomes depends on its text alone, never on its neighbours or on where a block begins, so that a stream
gives the same values however it is cut. Memory does not grow with the file.
"""

from kernelpick.sources.blocks import Block, Reject
from kernelpick.sources.reading import Limits, Reading
from kernelpick.sources.source import Source, open_source

__all__ = ["Block", "Limits", "Reading", "Reject", "Source", "open_source"]
