"""What Spark needs to run kernelpick: PySpark, Java, a state store on disk, and workers of this very interpreter."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

ROCKS = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
STORE = "spark.sql.streaming.stateStore.providerClass"
JAVA = 17  # the oldest release that Spark 4 runs on
# On this machine alone; a partition holds a state store of its own, and Spark's 200 of them are for a cluster.
LOCAL = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.shuffle.partitions": str(os.cpu_count()),
}
QUIET = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.log.level": "ERROR"}
# Workers are forks of a process that has loaded kernelpick, and live on from one micro-batch to the next.
WORKERS = {"spark.python.daemon.module": "kernelpick.spark.daemon", "spark.python.worker.reuse": "true"}


def session(master: str = "local[*]", settings: Mapping[str, Any] | None = None) -> Any:
    """A Spark session that is ready for ``learn``: RocksDB holds the state, workers use this interpreter.

    With a local master all stays on the loopback device, in as many partitions as there are cores. Any other session
    will do, too: ``learn`` sets what it lacks.

    Parameters
    ----------
    master : where Spark runs, as "local[2]" for two threads of this machine
    settings : further ones of Spark, by their names, which count before ours
    """
    spark = needed()
    needs_java()
    choose_interpreter()
    is_local = master.startswith("local")
    if is_local:
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    chosen = {**(LOCAL if is_local else {}), **QUIET, **WORKERS, STORE: ROCKS, **(settings or {})}
    return spark.SparkSession.builder.master(master).appName("kernelpick").config(map=chosen).getOrCreate()


def needed() -> ModuleType:
    """pyspark.sql, or a sentence that says what to install."""
    try:
        import google.protobuf  # noqa: F401
        import pandas  # noqa: F401
        import pyarrow  # noqa: F401
        import pyspark.sql
    except ImportError as error:
        raise ImportError(
            f"kernelpick.spark needs PySpark 4.1 or later with pandas, PyArrow and protobuf ({error}): "
            "pip install 'kernelpick[spark]'."
        ) from error
    if not hasattr(pyspark.sql.GroupedData, "transformWithState"):
        raise ImportError(
            f"kernelpick.spark needs PySpark 4.1 or later, and {pyspark.__version__} is installed: "
            "pip install 'kernelpick[spark]'."
        )
    return pyspark.sql


def needs_java() -> None:
    """Spark itself says little if there is none."""
    release = java_release()
    if release is None:
        raise RuntimeError(
            f"Spark needs Java {JAVA} or later, and none was found: install one, and set JAVA_HOME to its folder or "
            "put its command java on the PATH."
        )
    if release < JAVA:
        raise RuntimeError(
            f"Spark needs Java {JAVA} or later, and {java_command()} is release {release}: set JAVA_HOME to another."
        )


def java_command() -> str | None:
    """Where Spark looks for it, too."""
    home = os.environ.get("JAVA_HOME")
    return shutil.which(str(Path(home, "bin", "java"))) if home else shutil.which("java")


def java_release() -> int | None:
    """17, say; None without a Java that answers."""
    command = java_command()
    if command is None:
        return None
    said = subprocess.run([command, "-version"], capture_output=True, text=True, timeout=60)
    found = re.search(r'version "(?:1\.)?(\d+)', said.stderr + said.stdout)
    return int(found[1]) if found else None


def choose_interpreter(context: Any = None) -> None:
    """Spark's workers run `python3` unless they are told; they must find kernelpick, so they are told this one."""
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    if context is not None and context.getConf().get("spark.pyspark.python") is None:
        context.pythonExec = os.environ["PYSPARK_PYTHON"]


def prepare(spark: Any) -> None:
    """Set what a session of the user's own making may lack; the state store is chosen when a query starts."""
    choose_interpreter(spark.sparkContext)
    spark.conf.set(STORE, ROCKS)
