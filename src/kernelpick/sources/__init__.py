"""Where rows come from: files of several formats, standard input, folders, tables of SQLite; read piece by piece.

    bytes (raw) -> records (lines, quotes) -> cells -> blocks of columns, and what was rejected

What a cell becomes depends on its text alone, never on its neighbours or on where a block begins, so that a stream
gives the same values however it is cut. Memory does not grow with the file.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

# Imported when first used: the command line asks this package for its options, and stays light.
_HOMES = {"Block": "blocks", "Reject": "blocks", "Limits": "reading", "Reading": "reading"}
_HOMES |= {"Source": "source", "open_source": "source"}

__all__ = ["Block", "Limits", "Reading", "Reject", "Source", "open_source"]

if TYPE_CHECKING:
    from kernelpick.sources.blocks import Block, Reject
    from kernelpick.sources.reading import Limits, Reading
    from kernelpick.sources.source import Source, open_source


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'kernelpick.sources' has no attribute {name!r}")
    return getattr(import_module(f"kernelpick.sources.{_HOMES[name]}"), name)
