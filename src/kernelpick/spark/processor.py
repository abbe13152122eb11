"""What Spark runs for each key of a micro-batch: bytes of a model in, answers and bytes of the model out.

What takes long to load is imported when rows come: Spark also opens this in a process that only asks for the schema.
Without PySpark the file can be looked at, as the tests of docstrings do.
"""

from collections.abc import Iterator
from typing import Any

try:
    from pyspark.sql.streaming.stateful_processor import StatefulProcessor
except ImportError:
    StatefulProcessor = object  # type: ignore[assignment, misc]

STATE = "model"  # the name of the state variable
SCHEMA = "model binary, asked string"  # what to_bytes gives, and the rows whose labels are awaited


class Learning(StatefulProcessor):
    def __init__(self, start: bytes, how: Any, carried: list[str], said: list[str], ttl: int | None) -> None:
        self.start, self.how, self.carried, self.said, self.ttl = start, how, carried, said, ttl

    def init(self, handle: Any) -> None:
        self.state = handle.getValueState(STATE, SCHEMA, self.ttl)

    def handleInputRows(self, key: Any, rows: Iterator[Any], timerValues: Any) -> Iterator[Any]:
        from pyspark.sql import Row

        from kernelpick.files.container import from_bytes
        from kernelpick.spark import playing
        from kernelpick.spark.rows import arrivals_of

        content, asked = self.state.get() or (self.start, None)
        model, awaited = from_bytes(bytes(content)), playing.read(asked)
        try:
            answers = playing.answer_rows(model, awaited, arrivals_of(rows, self.carried), self.how)
        except ValueError as error:
            raise ValueError(f"The key {', '.join(map(repr, key))}: {error}") from error
        self.state.update((model.to_bytes(), playing.written(awaited)))
        said, sides = Row(*self.said), len(self.said) - len(key) - 3
        for answer in answers:
            around: Any = answer.around if sides == 2 else [answer.around]
            yield said(*key, answer.id, answer.prediction, *(around or [None, None]), answer.error)

    def close(self) -> None:
        pass
