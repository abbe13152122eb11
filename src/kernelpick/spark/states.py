"""kernelpick.spark.models: what the keys of a query have learned, read from its checkpoint."""

from typing import Any

from kernelpick.spark.sessions import needed


def models(spark: Any, checkpoint: Any) -> Any:
    """A data frame of the keys of a query and their models, as of the last micro-batch that was finished.

    Its columns are the keys and ``model``, bytes for ``kernelpick.from_bytes``.

    Parameters
    ----------
    spark : a session
    checkpoint : the checkpointLocation of the query

    Examples
    --------
    >>> table = kernelpick.spark.models(spark, "checkpoint")  # doctest: +SKIP
    >>> model = kernelpick.from_bytes(table.where("sensor = 'a7'").first()["model"])  # doctest: +SKIP
    """
    needed()
    from kernelpick.spark.processor import STATE

    found = spark.read.format("statestore").option("stateVarName", STATE).load(str(checkpoint))
    return found.select("key.*", "value.model")
