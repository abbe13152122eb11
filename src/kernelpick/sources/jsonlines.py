"""JSON lines: an object a line, whose keys are columns. A key that comes later is a new column from there on."""

import json
import math
from typing import Any

import numpy as np

from kernelpick.sources import cells
from kernelpick.sources.gathering import INFINITE, SKIP, Bad
from kernelpick.sources.growing import Growing
from kernelpick.sources.raw import Raw
from kernelpick.sources.reading import Reading


class JsonLines(Growing):
    """One file of objects."""

    def __init__(self, raw: Raw, reading: Reading) -> None:
        super().__init__(raw, reading)
        self.names = self.first_names()

    def read(self, text: str) -> dict[str, cells.Value]:
        try:
            pairs = json.loads(text, object_pairs_hook=_Pairs, parse_int=float)
        except RecursionError:
            raise Bad("", text, f"the object is nested far too deeply; flatten it, {SKIP}") from None
        except ValueError as problem:
            raise Bad("", text, f"this is no JSON ({problem}); write one object a line, {SKIP}") from None
        if not isinstance(pairs, _Pairs):
            raise Bad("", text, f'this is no object; write one such as {{"price": 12.5}} a line, {SKIP}')
        row = {key: _value(key, value) for key, value in pairs}
        if len(row) < len(pairs):
            twice = next(key for key, _ in pairs if [other for other, _ in pairs].count(key) > 1)
            raise Bad(twice, text, f"the key is there twice; rename one of them, {SKIP}")
        return row

    def columns(self, names: list[str], rows: list[dict[str, Any]]) -> dict[str, np.ndarray]:
        return {name: cells.of_values([row.get(name) for row in rows]) for name in names}


class _Pairs(list):
    """The keys and values of an object, in order."""


def _value(key: str, value: Any) -> cells.Value:
    if isinstance(value, list):
        shown = "{...}" if isinstance(value, _Pairs) else "[...]"
        raise Bad(key, shown, f"a value inside a value can't be learned from; flatten it, {SKIP}")
    if isinstance(value, str):
        value = cells.value(value)
        if isinstance(value, str) and not value.isascii() and any("\ud800" <= one <= "\udfff" for one in value):
            raise Bad(key, ascii(value), f"half of a character (a lone surrogate) is no text; mend it, {SKIP}")
    elif isinstance(value, bool):
        value = float(value)
    if isinstance(value, float):
        if math.isinf(value):
            raise Bad(key, value, INFINITE)
        return None if math.isnan(value) else value
    return value
