"""The columns of a stream: who they are, what becomes of them on the way to Python, and those that come out."""

import datetime
from collections.abc import Sequence
from typing import Any, NamedTuple

from kernelpick.spark.options import Options, seconds

WHOLE = ("byte", "short", "integer", "long")  # as Spark's types call themselves
NUMBERS = (*WHOLE, "float", "double", "boolean", "decimal")
TIMES = ("timestamp", "timestamp_ntz", "date")
TEXTS = ("string",)
DAY = 86_400_000_000  # microseconds
SAID = ("prediction", "lower", "upper", "members", "error")


class Shape(NamedTuple):
    keys: tuple[str, ...]
    id: str
    target: str
    order: str
    inputs: tuple[str, ...]
    numeric: tuple[bool, ...]  # of the inputs
    timeout: float | None  # in units of what order becomes

    @property
    def carried(self) -> list[str]:
        """What the columns are called on their way: of the user's names one may be there twice, as order and input."""
        return [f"kernelpick_{place}" for place in range(3 + len(self.inputs))]


def shape_of(stream: Any, columns: dict[str, Any], classifies: bool, options: Options) -> Shape:
    """The columns that were named, checked against the stream's own."""
    keys = (columns["key"],) if isinstance(columns["key"], str) else tuple(columns["key"])
    id, target, order = columns["id"], columns["target"], columns["order"]
    used = (*keys, id, target, order)
    inputs = tuple(name for name in stream.columns if name not in used) if options.inputs is None else options.inputs
    inputs = (inputs,) if isinstance(inputs, str) else tuple(inputs)
    types = {field.name: field.dataType.typeName() for field in stream.schema}
    _there(types, (*used, *inputs))
    _typed("id", id, types, (*WHOLE, *TEXTS), "a string or a whole number: cast it")
    _typed("order", order, types, (*NUMBERS, *TIMES, *TEXTS), "a number, a time or a text")
    allowed = (*NUMBERS, *TEXTS) if classifies else NUMBERS
    _typed("target", target, types, allowed, "a number, or for a classifier a text: cast it")
    for name in inputs:
        _typed("inputs", name, types, (*NUMBERS, *TIMES, *TEXTS), "a number, a text or a time: leave it out or cast it")
    dotted = [name for name in keys if "." in name or "`" in name]
    if dotted:
        raise ValueError(f"key: Spark can't group by {dotted[0]!r}, since there is a dot in its name: rename it.")
    taken = [name for name in (*keys, id) if name in SAID]
    if taken:
        raise ValueError(f"{taken[0]!r} is a column of the predictions, so key and id can't have that name: rename it.")
    numeric = tuple(types[name] in NUMBERS for name in inputs)
    return Shape(keys, id, target, order, inputs, numeric, _span(options.timeout, types[order]))


def _there(types: dict[str, str], names: Sequence[str]) -> None:
    missing = [name for name in names if name not in types]
    if missing:
        raise ValueError(f"The stream has no column {missing[0]!r}; it has {', '.join(map(repr, types))}.")


def _typed(role: str, name: str, types: dict[str, str], allowed: Sequence[str], wanted: str) -> None:
    if types[name] not in allowed:
        raise ValueError(f"{role}: the column {name!r} is of type {types[name]}, and must be {wanted}.")


def _span(timeout: Any, kind: str) -> float | None:
    """The time-out in units of the order: microseconds of times, else its own."""
    if timeout is None:
        return None
    if kind in TIMES:
        return float(seconds(timeout)) * 1e6
    if kind in TEXTS or isinstance(timeout, datetime.timedelta):
        raise ValueError(f"timeout: {timeout!r} can't be counted in the column of order, which is of type {kind}.")
    return float(timeout)


def carried(stream: Any, shape: Shape, classifies: bool) -> Any:
    """The stream with the columns that go to Python: keys, order, id, target, inputs."""
    from pyspark.sql import functions as F

    types = {field.name: field.dataType.typeName() for field in stream.schema}

    def own(name: str) -> Any:
        return F.col("`" + name.replace("`", "``") + "`")

    def ordered(name: str) -> Any:
        if types[name] == "date":
            return F.unix_date(own(name)).cast("long") * F.lit(DAY)
        if types[name] in TIMES:
            return F.unix_micros(own(name).cast("timestamp"))
        return own(name).cast("double") if types[name] == "decimal" else own(name)

    def learned(name: str) -> Any:
        exact = classifies and types[name] != "decimal"
        return own(name) if exact else own(name).cast("double")

    def put_in(name: str, numeric: bool) -> Any:
        return own(name).cast("double") if numeric else own(name)

    values = [ordered(shape.order), own(shape.id), learned(shape.target), *map(put_in, shape.inputs, shape.numeric)]
    return stream.select(
        *map(own, shape.keys), *(value.alias(name) for value, name in zip(values, shape.carried, strict=True))
    )


def schema_of(stream: Any, shape: Shape, classifies: bool) -> Any:
    """Of the predictions: keys and id as they are, prediction, lower and upper or members, error."""
    from pyspark.sql.types import ArrayType, DoubleType, StructField, StructType

    types = {field.name: field.dataType for field in stream.schema}
    number = DoubleType()
    kind = types[shape.target] if classifies and types[shape.target].typeName() != "decimal" else number
    around = {"members": ArrayType(kind)} if classifies else {"lower": number, "upper": number}
    own = {name: types[name] for name in (*shape.keys, shape.id)}
    said = {"prediction": kind, **around, "error": number}
    return StructType([StructField(name, kind) for name, kind in {**own, **said}.items()])
