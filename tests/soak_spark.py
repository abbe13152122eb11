"""Kill a query of Spark's at random moments, again and again, and start it again from its checkpoint: predictions and
models must be those of one that was not killed, to the bit, with no row twice and none missing.

A process is killed with all that it has started, most often while micro-batches are at work, sometimes while it starts.

    python tests/soak_spark.py --kills 100
"""

import argparse
import atexit
import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from late_labels import FILES, KEYS, ROWS, SCHEMA, write_rows

# A Java machine that lives for seconds spends most of them on compiling, where it may.
BRIEF = {
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.shuffle.partitions": "2",
}
MOST = 12  # kills in one run
STARTING = 0.2  # the share of kills that come before the query is at work
REFUSED = b"STATE_STORE_CHECKPOINT_LOCATION_NOT_EMPTY"
LONGEST = 600.0  # seconds that one process may take
SPARE = 3  # processes for each kill, before it is said that the query does not come to its end


def lack() -> str | None:
    """What Spark would need that is not there."""
    from kernelpick.spark import sessions

    try:
        sessions.needed()
        sessions.needs_java()
    except (ImportError, RuntimeError) as error:
        return str(error)
    return None


def run_query(source: Path, folder: Path) -> None:
    """What is killed: a query over files, from where its checkpoint stands to its end."""
    import kernelpick.spark

    spark = kernelpick.spark.session("local[2]", BRIEF)
    rows = spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1).json(str(source))
    model = kernelpick.KernelRegressor(size="tiny", random_state=0)
    columns = {"key": "sensor", "target": "value", "id": "row", "order": "time"}
    said = kernelpick.spark.learn(rows, **columns, model=model, timeout=2 * ROWS)
    places = {"path": str(folder / "said"), "checkpointLocation": str(folder / "checkpoint")}
    query = said.writeStream.format("json").options(**places).trigger(availableNow=True).start()
    (folder / "started").touch()
    query.awaitTermination()
    answers = [tuple(answer) for answer in spark.read.schema(said.schema).json(places["path"]).collect()]
    states = spark.read.format("statestore").option("stateVarName", "model").load(places["checkpointLocation"])
    kept = {state.key.sensor: [bytes(state.value.model).hex(), state.value.asked] for state in states.collect()}
    found = {"answers": sorted(answers, key=repr), "states": kept}
    (folder / "found.new").write_text(json.dumps(found, sort_keys=True), encoding="utf-8")
    (folder / "found.new").rename(folder / "found")


class Life:
    """A process that runs the query, in a session of its own, so that all that it starts is known."""

    def __init__(self, source: Path, folder: Path) -> None:
        self.started, self.log = folder / "started", folder / "log"
        self.started.unlink(missing_ok=True)
        self.began = time.monotonic()
        with self.log.open("ab") as log:
            command = [sys.executable, __file__, "--query", str(source), str(folder)]
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
        atexit.register(self.kill)  # it would not hear Ctrl-C

    def wait(self, seconds: float, until: Callable[[], bool] = lambda: False) -> bool:
        """Whether it has ended of itself, or has come as far as is enough, within that time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.process.poll() is not None or until():
                return True
            time.sleep(0.02)
        return False

    def kill(self) -> None:
        """The process and what it has started: Java, and the workers, which have process groups of their own."""
        if self.process.poll() is not None:
            return
        for process in members(self.process.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self.process.wait()

    def is_refused(self) -> bool:
        """Whether one before it was killed while Spark made its checkpoint: it then asks for another folder."""
        failed = self.process.poll() not in (None, 0) and not committed(self.log.parent)
        return failed and REFUSED in self.log.read_bytes()

    def ended(self) -> bool:
        """Whether it has come to its end, as it should."""
        code = self.process.poll()
        said = self.log.read_text(encoding="utf-8", errors="replace")[-5000:] if code else ""
        assert not code, f"exit code {code}:\n{said}"
        return code == 0

    def end(self) -> None:
        if not self.wait(LONGEST):
            self.kill()
            raise AssertionError("the query does not come to its end")
        assert self.is_refused() or self.ended()


def members(session: int) -> list[int]:
    """The processes of a session."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session:
            found.append(int(entry.name))
    return found


def committed(folder: Path) -> int:
    """Micro-batches that are finished."""
    return len(list((folder / "checkpoint" / "commits").glob("[0-9]*")))


def undisturbed(source: Path, folder: Path) -> tuple[float, float]:
    """Seconds until the query starts, and from then until its first micro-batch is finished."""
    life = Life(source, folder)
    life.wait(LONGEST, life.started.exists)
    starting = time.monotonic() - life.began
    life.wait(LONGEST, lambda: committed(folder) > 0)
    first = time.monotonic() - life.began - starting
    life.end()
    return starting, first


def disturbed(source: Path, folder: Path, kills: int, times: tuple[float, float], rng: random.Random) -> Iterator[int]:
    """Let the query come to its end, with kills on the way, until there were so many; how many there were so far."""
    done, starting, span = 0, times[0], 1.5 * times[1]
    share = FILES / min(kills, MOST)
    for _ in range(SPARE * kills + SPARE):
        before, life = committed(folder), Life(source, folder)
        if done == kills:
            life.end()
        elif rng.random() < STARTING:
            life.wait(starting * rng.random())
        else:
            life.wait(LONGEST, life.started.exists)
            life.wait(span * rng.random())
        if life.is_refused():
            shutil.rmtree(folder)
            folder.mkdir()
        elif life.ended():
            yield done
            if done == kills:
                return
        else:
            life.kill()
            done += 1
            # So long that a life has its share of the batches, however busy the machine is.
            span *= 0.8 if committed(folder) - before > share else 1.1
    raise AssertionError(f"the query does not come to its end after {done} kills")


def difference(expected: bytes, found: bytes) -> str:
    """Which rows and keys differ, and how."""
    one, other = json.loads(expected), json.loads(found)
    rows = [[json.dumps(row) for row in each["answers"]] for each in (one, other)]
    less, more = ([row for row in rows[0] if row not in rows[1]], [row for row in rows[1] if row not in rows[0]])
    keys = [key for key in KEYS if one["states"].get(key) != other["states"].get(key)]
    said = {"rows": [len(rows[0]), len(rows[1])], "lost": less[:5], "new": more[:5], "keys": keys}
    return "" if expected == found else json.dumps(said)


def one_case(kills: int, folder: Path, rng: random.Random) -> str:
    """What was done; an AssertionError if anything differs."""
    source, alone, again = folder / "rows", folder / "alone", folder / "again"
    ids = write_rows(source)
    alone.mkdir()
    times = undisturbed(source, alone)
    expected = (alone / "found").read_bytes()
    answers = json.loads(expected)["answers"]
    assert sorted(answer[1] for answer in answers) == ids, "a row is there twice, or none at all"
    assert set(json.loads(expected)["states"]) == set(KEYS)
    runs = 0
    again.mkdir()
    for done in disturbed(source, again, kills, times, rng):
        other = difference(expected, (again / "found").read_bytes())
        assert not other, f"{done} kills have left other predictions or models: {other}"
        runs += 1
        shutil.rmtree(again)
        again.mkdir()
    return f"Spark: {kills} kills in {runs} runs over {len(ids):,} rows, the same predictions and models"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--query", nargs=2, type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.query:
        run_query(*options.query)
        return 0
    if options.kills:
        missing = lack()
        if missing is not None:
            print(f"Spark: left out. {missing}")
            return 0
        with tempfile.TemporaryDirectory() as folder:
            print(one_case(options.kills, Path(folder), random.Random(options.seed)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
