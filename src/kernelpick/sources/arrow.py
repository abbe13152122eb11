"""Fields by PyArrow, whole chunks at a time, where it is installed and gives what record by record would.

A column is asked for as numbers. PyArrow reads the same texts as numbers that cells.py does, to the last bit, and some
fewer; where it finds another it fails, and the column is read as text and looked at by cells.py, once for each
different text. Whatever else is not plain goes back to be looked at record by record.
"""

import re
from typing import Any

import numpy as np

from kernelpick.sources import cells
from kernelpick.sources.records import Records

WHERE = re.compile(r"column #([0-9]+)")
RETURN = b"\r"


def takes(records: Records, field: int) -> bool:
    """Whether these records are plain enough."""
    data = records.data
    return (
        records.tidy
        and not records.faults
        and b"\0" not in data
        and (RETURN not in data or data.count(RETURN) == data.count(b"\r\n"))
        and int((records.ends - records.starts).max()) <= field
    )


class Reader:
    """What was learned of the columns of a file: which hold texts, so that they are not tried as numbers again."""

    def __init__(self, library: Any, delimiter: str, width: int) -> None:
        self.csv, self.invalid = library.csv, library.ArrowInvalid
        self.types = {True: library.string(), False: library.float64()}
        self.buffer = library.py_buffer
        self.delimiter, self.names = delimiter, [str(place) for place in range(width)]
        self.texts: set[int] = set()

    @classmethod
    def where_installed(cls, delimiter: str, width: int) -> "Reader | None":
        try:
            import pyarrow
            import pyarrow.csv
        except ImportError:
            return None
        return cls(pyarrow, delimiter, width)

    def columns(self, records: Records) -> list[np.ndarray] | None:
        """The values of all fields by column; None where something is not as it should be."""
        data = memoryview(records.data)[records.starts[0] : records.ends[-1]]
        for _ in range(len(self.names) + 1):
            try:
                table = self._read(data, records)
                break
            except self.invalid as problem:
                found = WHERE.search(str(problem))
                if found is None or int(found[1]) in self.texts:
                    return None
                self.texts.add(int(found[1]))
        if table.num_rows != len(records.starts):
            return None
        columns = [self._values(place, table.column(place)) for place in range(len(self.names))]
        return None if any(len(cells.infinite(column)) for column in columns) else columns

    def _read(self, data: memoryview, records: Records) -> Any:
        quoted = b'"' in records.data
        return self.csv.read_csv(
            self.buffer(data),
            self.csv.ReadOptions(use_threads=False, column_names=self.names, block_size=len(data) + 1),
            self.csv.ParseOptions(
                delimiter=self.delimiter, quote_char='"' if quoted else False, newlines_in_values=quoted
            ),
            self.csv.ConvertOptions(
                column_types={name: self.types[place in self.texts] for place, name in enumerate(self.names)},
                null_values=sorted(cells.BLANKS),
                strings_can_be_null=False,
            ),
        )

    def _values(self, place: int, column: Any) -> np.ndarray:
        if place not in self.texts:
            return numbers(column.combine_chunks())
        values = coded(column.combine_chunks())
        if values.dtype != object:
            self.texts.discard(place)
        return values


def coded(array: Any) -> np.ndarray:
    """A column of texts as values; each different text is looked at once."""
    found = array.dictionary_encode(null_encoding="encode")
    values = cells.of_values([None if text is None else cells.value(text) for text in found.dictionary.to_pylist()])
    return values[np.frombuffer(found.indices.buffers()[1], dtype=np.int32, count=len(found))]


def numbers(array: Any) -> np.ndarray:
    """A column of float64 with NaN where it is null; read from its memory, since PyArrow's own way imports pandas."""
    there, held = array.buffers()
    values = np.frombuffer(held, dtype=np.float64, count=len(array), offset=8 * array.offset)
    if not array.null_count:
        return values
    bits = np.unpackbits(np.frombuffer(there, dtype=np.uint8), bitorder="little")
    return np.where(bits[array.offset : array.offset + len(array)], values, np.nan)
