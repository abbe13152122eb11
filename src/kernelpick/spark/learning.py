"""kernelpick.spark.learn."""

from typing import Any

import numpy as np

from kernelpick.keyed import KeyedModels
from kernelpick.sklearn.base import KernelEstimator
from kernelpick.spark import options as given
from kernelpick.spark import sessions
from kernelpick.spark.playing import How
from kernelpick.spark.shape import carried, schema_of, shape_of

SEED = 0


def learn(
    stream: Any, *, key: Any, target: str, id: str, order: str, model: Any, prior: Any = None, **options: Any
) -> Any:
    """One model per key of a stream of Spark's: the stream of predictions, each made before its label is used.

    Its columns are the key, the id, ``prediction``, ``lower`` and ``upper``, and ``error``, the target minus the
    prediction. A classifier has ``members``, the classes that it may be, in the place of lower and upper, and its error
    is 1 or 0. There is one row for each that came.

    A row without a target is predicted and asked for by its id; when a row of the same key and id comes with one, with
    inputs or without, the model is told, and the prediction of then comes out once more with its error: labels may be
    late.

    In a micro-batch the rows of a key are learned by ``order``, then by id. A model's bytes are Spark's value state, in
    RocksDB. All that a key learns follows from its rows, and nothing from the clock: with a checkpoint, each row counts
    exactly once, to the bit.

    Parameters
    ----------
    stream : a streaming data frame; one that is none will do, too
    key : the column, or several, whose values have a model each
    target : the column that is learned
    id : a column of strings or whole numbers that tells the rows of a key apart
    order : a column of numbers, times or texts
    model : a KernelRegressor or KernelClassifier that has seen nothing, which every key begins with; size="small" or
        "tiny" keeps states small. A random_state of None is taken for 0, since a batch may be run again.
    prior : a model that new keys begin with; with ``prior_weight``, 32, as in KeyedModels
    inputs : the columns that are looked at; None for all that have no other part
    classes : all classes, of a classifier that does not accept new ones
    interval : the confidence of lower and upper, or of members, 0.9; None leaves these empty, and is several times as
        fast for keys that have many rows in a micro-batch
    timeout : how far rows of a key may go on, by ``order``, until one that was asked for is dropped: a number, or for
        times a timedelta or seconds. A label that comes later is learned like any other if it has inputs.
    ttl : a key that has been silent for so long, a timedelta or seconds by Spark's clock, is forgotten with all that it
        has learned. None: never.
    on_error : what becomes of a row that the model refuses, as for an infinite number: "raise" ends the query, "skip"
        lets it pass without a prediction

    Examples
    --------
    >>> import kernelpick.spark  # doctest: +SKIP
    >>> spark = kernelpick.spark.session("local[2]")  # doctest: +SKIP
    >>> rows = spark.readStream.schema("sensor string, row long, time timestamp, x double, value double").json("in")
    ... # doctest: +SKIP
    >>> kernelpick.spark.learn(rows, key="sensor", target="value", id="row", order="time",
    ...     model=kernelpick.KernelRegressor(size="small")).writeStream.format("parquet").option("path", "out").option(
    ...     "checkpointLocation", "checkpoint").start()  # doctest: +SKIP
    """
    sessions.needed()
    from kernelpick.spark.processor import Learning

    how = given.checked(options)
    start = _start(model, prior, how)
    columns = {"key": key, "target": target, "id": id, "order": order}
    shape = shape_of(stream, columns, model._classifies, how)
    sessions.prepare(stream.sparkSession)
    schema = schema_of(stream, shape, model._classifies)
    ttl = None if how.ttl is None else int(given.seconds(how.ttl) * 1000)
    classes = None if how.classes is None else np.asarray(how.classes)
    rules = How(shape.inputs, shape.numeric, classes, how.interval, shape.timeout, how.on_error == "skip")
    processor = Learning(start, rules, shape.carried, schema.names, ttl)
    grouped = carried(stream, shape, model._classifies).groupBy(*(f"`{name}`" for name in shape.keys))
    return grouped.transformWithState(processor, schema, "append", "None" if ttl is None else "ProcessingTime")


def _start(model: Any, prior: Any, how: given.Options) -> bytes:
    """What every key begins with, as bytes: the same as in KeyedModels."""
    if not isinstance(model, KernelEstimator):
        raise TypeError(
            f"kernelpick.spark.learn takes KernelRegressor or KernelClassifier, not {type(model).__name__}."
        )
    if not isinstance(model.random_state, int | np.integer | None):
        raise ValueError("random_state must be a whole number or None: a batch that is run again begins with the same.")
    if model._classifies and how.classes is None and prior is None and model.new_classes != "accept":
        raise ValueError("Declare all classes with classes=[...], or let the classifier have new_classes='accept'.")
    with KeyedModels(model, capacity=1, prior=prior, prior_weight=how.prior_weight) as keyed:
        begun = keyed["a new key"]
        if begun.random_state is None and prior is None:
            begun.random_state = SEED
        return begun.to_bytes()  # type: ignore[no-any-return]
