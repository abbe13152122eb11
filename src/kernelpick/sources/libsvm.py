"""LIBSVM text: a label, then index:value pairs with rising indices; what is not named is zero."""

import math
from typing import Any

import numpy as np

from kernelpick.sources import cells
from kernelpick.sources.gathering import INFINITE, SKIP, Bad
from kernelpick.sources.growing import Growing
from kernelpick.sources.raw import Raw
from kernelpick.sources.reading import Reading

LABEL = "label"


class Libsvm(Growing):
    """One file of labels and pairs; columns are named by their indices."""

    label: str | None = LABEL

    def __init__(self, raw: Raw, reading: Reading) -> None:
        super().__init__(raw, reading)
        self.names = (LABEL, *sorted((name for name in self.first_names() if name != LABEL), key=int))

    def record(self, text: str) -> str:
        return text.partition("#")[0].strip(cells.BLANK)

    def read(self, text: str) -> dict[str, Any]:
        label, *pairs = text.split()
        value = cells.value(label)
        if isinstance(value, float) and math.isinf(value):
            raise Bad(LABEL, label, INFINITE)
        row: dict[str, Any] = {LABEL: value}
        previous = -1
        for pair in pairs:
            name, colon, text_of_value = pair.partition(":")
            if not (colon and name.isascii() and name.isdigit() and len(name) < 10):
                raise Bad("", pair, f"this is no pair index:value; mend the line, {SKIP}")
            if (index := int(name)) <= previous:
                raise Bad(name, pair, f"the index {index} follows {previous}, but indices rise; mend the line, {SKIP}")
            number = cells.value(text_of_value)
            if not isinstance(number, float):
                raise Bad(name, text_of_value, f"the value is not a number; mend it, {SKIP}")
            if math.isinf(number):
                raise Bad(name, text_of_value, INFINITE)
            row[str(index)], previous = number, index
        return row

    def columns(self, names: list[str], rows: list[dict[str, Any]]) -> dict[str, np.ndarray]:
        places = {name: place for place, name in enumerate(names)}
        numbers = np.zeros((len(names), len(rows)))
        for at, row in enumerate(rows):
            for name, number in row.items():
                if name != LABEL:
                    numbers[places[name], at] = number
        found = dict(zip(names, numbers, strict=True))
        found[LABEL] = cells.of_values([row[LABEL] for row in rows])
        return found
