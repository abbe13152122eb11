"""Where rows come from: files of several formats, standard input, folders, tables of SQLite; read piece by piece.

    bytes (raw) -> records (lines, quotes) -> cells -> blocks of columns, and what was rejected

What a cell becomes depends on its text alone, never on its neighbours or on where a block begins, so that a stream
gives the same values however it is cut. Memory does not grow with the file.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kernelpick.sources.blocks import Block, Reject
    from kernelpick.sources.reading import Limits, Reading
    from kernelpick.sources.source import Source, open_source

__all__ = ["Block", "Limits", "Reading", "Reject", "Source", "open_source"]


def __getattr__(name: str) -> Any:
    """Fetched when they are asked for: the options of the commands are here too, and must come fast."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from kernelpick.sources import blocks, reading, source

    return next(getattr(module, name) for module in (blocks, reading, source) if hasattr(module, name))
