"""Parquet, by PyArrow: values have types already; a text is looked at as in any other format."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from kernelpick.files.errors import DataError
from kernelpick.sources import cells
from kernelpick.sources.arrow import coded, numbers
from kernelpick.sources.blocks import Block, passed_over
from kernelpick.sources.gathering import Batch, checked
from kernelpick.sources.known import known
from kernelpick.sources.reading import Reading

ROWS = 8192


class Parquet:
    """One file."""

    label: str | None = None

    def __init__(self, path: str | None, reading: Reading) -> None:
        self.raw = known(path, "Parquet")
        self.notes: list[str] = []
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError:
            raise DataError(f"{path} is in Parquet, which takes a library: pip install 'kernelpick[files]'.") from None
        self.arrow = pyarrow
        schema = self._tried(lambda: self._file().schema_arrow)
        if len(schema) > reading.limits.columns:
            raise DataError(f"{path} has {len(schema):,} columns, and {reading.limits.columns:,} are read at most.")
        self.readers = {field.name: reader for field in schema if (reader := _reader(pyarrow, field.type))}
        for field in schema:
            if field.name not in self.readers:
                self.notes.append(
                    f"{path}: the column {field.name!r} is left out, as {field.type} can't be learned from."
                )
        self.names = tuple(self.readers)
        if len({field.name for field in schema}) < len(schema):
            raise DataError(f"{path}: two columns have the same name; rename one of them.")
        if not self.names:
            raise DataError(f"{path} has no column of numbers, texts or dates.")

    def _file(self) -> Any:
        return self.arrow.parquet.ParquetFile(self.raw.path)

    def _tried(self, call: Callable[[], Any]) -> Any:
        """What a call of the library gives; its failures as a sentence."""
        try:
            return call()
        except (self.arrow.ArrowException, OSError, ValueError, OverflowError) as problem:
            told = " ".join(str(problem).split()).rstrip(".")
            raise DataError(f"{self.raw.name} can't be read as Parquet ({told}); get a fresh copy.") from problem

    def blocks(self, skip: int) -> Iterator[Block]:
        """All records, of which the first so many are passed over."""
        file = self._tried(self._file)
        total, first = max(file.metadata.num_rows, 1), 0
        batches = file.iter_batches(ROWS, columns=list(self.names), use_threads=False)
        while (batch := self._tried(lambda: next(batches, None))) is not None:
            count = batch.num_rows
            if first + count <= skip:
                yield passed_over(first, count, self.raw.name)
            else:
                columns = self._tried(lambda: self._columns(batch))
                lines = np.arange(first + 1, first + count + 1, dtype=np.int64)
                values = list(columns.values())
                yield checked(
                    Batch(self.raw.name, first, lines, {}),
                    columns,
                    lambda row, place: values[place][row],  # noqa: B023
                )
            first += count
            self.raw.done = int((self.raw.size or 0) * first / total)

    def _columns(self, batch: Any) -> dict[str, np.ndarray]:
        return {name: read(batch.column(name)) for name, read in self.readers.items()}


def _reader(arrow: Any, kind: Any) -> Callable[[Any], np.ndarray] | None:
    """How a column of such a type is read; None if it can't be."""
    types = arrow.types
    if types.is_dictionary(kind):
        inner = _reader(arrow, kind.value_type)
        return inner and (lambda column: inner(column.dictionary_decode()))
    readers: dict[Callable[[Any, Any], np.ndarray], tuple[Callable[[Any], bool], ...]] = {
        _numbers: (types.is_integer, types.is_floating, types.is_decimal, types.is_null, types.is_boolean),
        _texts: (types.is_string, types.is_large_string),
        _times: (types.is_date, types.is_timestamp),
        _spans: (types.is_duration,),
    }
    read = next((read for read, tests in readers.items() if any(test(kind) for test in tests)), None)
    return read and partial(read, arrow)


def _numbers(arrow: Any, column: Any) -> np.ndarray:
    if arrow.types.is_boolean(column.type):
        column = column.cast(arrow.int8())
    return numbers(column.cast(arrow.float64(), safe=False))


def _texts(arrow: Any, column: Any) -> np.ndarray:
    return coded(column)


def _spans(arrow: Any, column: Any) -> np.ndarray:
    """In seconds."""
    return _numbers(arrow, column.cast(arrow.duration("us"), safe=False).cast(arrow.int64())) / 1e6


def _times(arrow: Any, column: Any) -> np.ndarray:
    zone = getattr(column.type, "tz", None)
    return cells.of_values(column.cast(arrow.timestamp("us", zone), safe=False).to_pylist())
