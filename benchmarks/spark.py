"""Models by key on Spark: rows a second on this machine, and bytes of state a key.

    python benchmarks/spark.py --sizes tiny small --keys 1000 --rows 20

Every micro-batch has that many rows of each key. The first one, in which Java and Python warm up, does not count.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas

import kernelpick.spark
from kernelpick import KernelRegressor

COLUMNS = 10


def write_rows(folder: Path, keys: int, rows: int, batches: int) -> None:
    rng = np.random.default_rng(0)
    folder.mkdir()
    for batch in range(batches):
        X = rng.normal(size=(keys * rows, COLUMNS))
        frame = pandas.DataFrame(X, columns=[f"x{column}" for column in range(COLUMNS)])
        frame["key"] = np.tile(np.arange(keys), rows)
        frame["value"] = np.sin(2.0 * X[:, 0]) + X[:, 1] * frame["key"] / keys + 0.1 * rng.normal(size=len(frame))
        frame["row"] = batch * len(frame) + np.arange(len(frame))
        frame.to_parquet(folder / f"{batch:03}.parquet")


def measured(spark: object, folder: Path, size: str, interval: float | None) -> dict[str, float]:
    rows = spark.readStream.schema(spark.read.parquet(str(folder / "rows")).schema).option("maxFilesPerTrigger", 1)
    model = KernelRegressor(size=size, random_state=0)
    columns = {"key": "key", "target": "value", "id": "row", "order": "row"}
    said = kernelpick.spark.learn(rows.parquet(str(folder / "rows")), **columns, model=model, interval=interval)
    own = folder / f"{size}-{interval}"
    places = {"path": str(own / "said"), "checkpointLocation": str(own / "checkpoint")}
    query = said.writeStream.format("parquet").options(**places).trigger(availableNow=True).start()
    query.awaitTermination()
    batches = [progress for progress in query.recentProgress if progress["numInputRows"]][1:]
    seconds = sum(progress["durationMs"]["triggerExecution"] for progress in batches) / 1000
    states = kernelpick.spark.models(spark, places["checkpointLocation"]).selectExpr("length(model) as bytes")
    sizes = [row.bytes for row in states.collect()]
    n_rows = sum(progress["numInputRows"] for progress in batches)
    updated = sum(progress["stateOperators"][0]["numRowsUpdated"] for progress in batches)
    return {"rows a second": n_rows / seconds, "keys a second": updated / seconds, "bytes a key": np.mean(sizes)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", nargs="*", default=["tiny", "small"])
    parser.add_argument("--keys", type=int, default=1000)
    parser.add_argument("--rows", type=int, default=20, help="of each key in a micro-batch")
    parser.add_argument("--batches", type=int, default=4)
    parser.add_argument("--master", default="local[2]")
    options = parser.parse_args()
    spark = kernelpick.spark.session(options.master, {"spark.sql.shuffle.partitions": "2"})
    with tempfile.TemporaryDirectory() as folder:
        write_rows(Path(folder) / "rows", options.keys, options.rows, options.batches)
        for size in options.sizes:
            for interval in (None, 0.9):
                began = time.monotonic()
                found = measured(spark, Path(folder), size, interval)
                told = ", ".join(f"{value:,.0f} {name}" for name, value in found.items())
                print(f"{size}, interval={interval}: {told} ({time.monotonic() - began:.0f} s)", flush=True)
    spark.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
