"""kernelpick.spark.learn on Spark: what comes out, and the models that it leaves, are those of one process."""

import json
import os
import random
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pandas
import pytest
import soak_spark

import kernelpick
import kernelpick.spark
from kernelpick import KernelClassifier, KernelRegressor, KeyedModels
from kernelpick.spark import sessions
from kernelpick.spark.playing import How, answer_rows, read
from kernelpick.spark.rows import Arrival

LACK = soak_spark.lack()
pytestmark = [pytest.mark.spark, pytest.mark.skipif(LACK is not None, reason=str(LACK))]
NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
SCHEMA = (
    "shop string, `the row` long, time timestamp, `size.m` double, city string, when date, price double, kind string"
)
COLUMNS = {"key": "shop", "id": "the row", "order": "time"}


@pytest.fixture(scope="module")
def spark():
    session = kernelpick.spark.session("local[2]", soak_spark.BRIEF)
    yield session
    session.stop()


def events(count, seed=0, labelled=True):
    """Rows of three shops by time; of some the label comes later."""
    rng, rows, late = np.random.default_rng(seed), [], []
    for place in range(count):
        size, city = float(rng.normal()), ["Bonn", "Kiel", None][rng.integers(3)]
        price = 2.0 * size + 3.0 * (city == "Kiel")
        row = {"shop": "abc"[rng.integers(3)], "the row": place, "time": NOON + timedelta(seconds=place)}
        inputs = {
            "size.m": None if city and place % 9 == 0 else size,
            "city": city,
            "when": f"2024-05-{place % 28 + 1:02}",
        }
        label = {"price": price, "kind": "dear" if price > 1.0 else "cheap"}
        if not labelled and rng.random() < 0.3:
            late.append(row | label | {"time": row["time"] + timedelta(seconds=[10.5, 20.5][place % 2])})
            label = {}
        rows.append(row | inputs | label)
    return sorted(rows + late, key=lambda row: row["time"])


def write(folder, rows, files):
    """Files of a stream, in which the rows of a time are in any order."""
    folder.mkdir()
    for number, part in enumerate(np.array_split(np.arange(len(rows)), files)):
        own = [rows[place] for place in part]
        random.Random(number).shuffle(own)
        path = folder / f"{number}.json"
        path.write_text("".join(json.dumps(row, default=datetime.isoformat) + "\n" for row in own), encoding="utf-8")
        os.utime(path, (1e9 + number, 1e9 + number))


def stream(spark, folder):
    return spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1).json(str(folder))


def run(said, folder):
    """All that comes out, by id and error, after the query has come to its end."""
    places = {"path": str(folder / "said"), "checkpointLocation": str(folder / "checkpoint")}
    query = said.writeStream.format("json").options(**places).trigger(availableNow=True).start()
    if not query.awaitTermination(300):
        query.stop()
        raise AssertionError("the query does not come to its end")
    found = said.sparkSession.read.schema(said.schema).json(places["path"]).collect()
    return sorted(found, key=lambda row: (row["the row"], row.error is not None, row.prediction is None))


def states(spark, folder):
    return {row.shop: bytes(row.model) for row in kernelpick.spark.models(spark, folder / "checkpoint").collect()}


def test_it_is_what_keyed_models_are(spark, tmp_path):
    rows = events(400)
    write(tmp_path / "rows", rows, 4)
    model = KernelRegressor(size="tiny")  # random_state=None is that of 0
    said = kernelpick.spark.learn(
        stream(spark, tmp_path / "rows").drop("kind"), **COLUMNS, target="price", model=model, interval=None
    )
    assert said.columns == ["shop", "the row", "prediction", "lower", "upper", "error"]
    found = run(said, tmp_path)
    table = pandas.DataFrame(rows)
    inputs = table[["shop", "size.m", "city"]].assign(when=pandas.to_datetime(table["when"]))
    plain = KeyedModels(KernelRegressor(size="tiny", random_state=0))
    expected = plain.predict_and_learn("shop", inputs, table["price"])
    assert [row["the row"] for row in found] == list(range(400))
    assert [row.prediction for row in found] == expected.tolist()
    assert [row.error for row in found] == (table["price"] - expected).tolist()
    assert {row.lower for row in found} == {None}
    assert states(spark, tmp_path) == {key: plain[key].to_bytes() for key in "abc"}


def test_late_labels_and_intervals_are_those_of_ask_and_tell(spark, tmp_path):
    rows = events(240, seed=1, labelled=False)
    write(tmp_path / "rows", rows, 5)
    options = {"inputs": ["size.m", "city"], "interval": 0.8, "timeout": timedelta(seconds=20)}
    model = KernelRegressor(size="tiny", random_state=0)
    found = run(
        kernelpick.spark.learn(stream(spark, tmp_path / "rows"), **COLUMNS, target="price", model=model, **options),
        tmp_path,
    )
    how, models, expected = How(("size.m", "city"), (True, False), None, 0.8, 20e6, False), {}, []
    for shop in "abc":
        lines = [
            Arrival(
                row["time"].timestamp() * 1e6, row["the row"], row.get("price"), (row.get("size.m"), row.get("city"))
            )
            for row in rows
            if row["shop"] == shop
        ]
        models[shop], awaited = KernelRegressor(size="tiny", random_state=0), {}
        expected += answer_rows(models[shop], awaited, lines, how)
    expected.sort(key=lambda answer: (answer.id, answer.error is not None, answer.prediction is None))
    assert len(found) == len(rows) == len(expected)
    asked = {row["the row"] for row in rows if "price" not in row}
    told = [(row["the row"], row.prediction, [row.lower, row.upper], row.error) for row in found]
    assert told == [(one.id, one.prediction, one.around or [None, None], one.error) for one in expected]
    assert any(row.error is None and row.prediction is not None for row in found)  # asked
    assert any(row.error is not None and row["the row"] in asked for row in found)  # and told
    assert any(row.prediction is None for row in found)  # too late, and without inputs
    assert states(spark, tmp_path) == {key: model.to_bytes() for key, model in models.items()}
    assert read(None) == {}


def test_classes_and_several_columns_of_a_key(spark, tmp_path):
    write(tmp_path / "rows", events(300, seed=2), 2)
    model = KernelClassifier(size="tiny", random_state=0, new_classes="accept")
    columns = COLUMNS | {"key": ["shop", "city"], "target": "kind", "inputs": "size.m"}
    found = run(kernelpick.spark.learn(stream(spark, tmp_path / "rows"), **columns, model=model), tmp_path)
    assert len(found) == 300 and {(row.shop, row.city) for row in found} >= {("a", None), ("b", "Kiel")}
    errors = [row.error for row in found if row.error is not None]
    assert set(errors) == {0.0, 1.0} and np.mean(errors) < 0.3
    assert all(set(row.members or ()) <= {"dear", "cheap"} for row in found)
    said = [row for row in found if row.prediction is not None]
    assert all(row.prediction in ("dear", "cheap") for row in said) and len(found) - len(said) >= 9


def test_a_prior_and_keys_that_are_forgotten(spark, tmp_path):
    """Batches are later than a millisecond after each other, so every one finds its keys forgotten."""
    spark.conf.set("spark.sql.streaming.noDataMicroBatches.enabled", "false")
    rows = events(120, seed=3)
    write(tmp_path / "rows", rows, 2)
    prior = KernelRegressor(size="small", random_state=0)
    table = pandas.DataFrame(rows)
    prior.partial_fit(table[["size.m", "city"]], table["price"])
    options = {"inputs": ["size.m", "city"], "prior": prior, "prior_weight": 16.0, "ttl": 0.001, "interval": None}
    model = KernelRegressor(size="small", random_state=0)
    found = run(
        kernelpick.spark.learn(stream(spark, tmp_path / "rows"), **COLUMNS, target="price", model=model, **options),
        tmp_path,
    )
    spark.conf.unset("spark.sql.streaming.noDataMicroBatches.enabled")
    expected = []
    for part in np.array_split(np.arange(120), 2):
        own = table.iloc[part]
        keyed = KeyedModels(model, prior=prior, prior_weight=16.0)
        expected += keyed.predict_and_learn("shop", own[["shop", "size.m", "city"]], own["price"]).tolist()
    assert [row.prediction for row in found] == expected


def test_a_row_that_is_refused_ends_the_query_in_a_sentence(spark, tmp_path):
    rows = events(20)
    write(tmp_path / "rows", rows, 1)
    from pyspark.sql.functions import lit

    endless = stream(spark, tmp_path / "rows").withColumn("more", lit(float("inf")))
    said = kernelpick.spark.learn(endless, **COLUMNS, target="price", model=KernelRegressor(size="tiny"))
    with pytest.raises(Exception, match=r"The key '[abc]': .*more"):
        run(said, tmp_path)


@pytest.mark.parametrize(
    ("given", "error", "sentence"),
    [
        ({"model": "auto"}, TypeError, "takes KernelRegressor or KernelClassifier, not str"),
        ({"model": KernelClassifier(), "target": "kind"}, ValueError, "Declare all classes"),
        ({"model": KernelRegressor(random_state=np.random.default_rng())}, ValueError, "random_state must be a whole"),
        ({"order": "hour"}, ValueError, "no column 'hour'"),
        ({"confidence": 0.9}, ValueError, "Unknown option of kernelpick.spark.learn 'confidence'"),
    ],
)
def test_what_does_not_do_is_refused_at_once(spark, tmp_path, given, error, sentence):
    (tmp_path / "rows").mkdir()
    with pytest.raises(error, match=sentence):
        kernelpick.spark.learn(
            stream(spark, tmp_path / "rows"), **COLUMNS | {"target": "price", "model": KernelRegressor()} | given
        )


def test_the_interpreter_is_told_to_a_session_of_the_users_own(spark, monkeypatch):
    monkeypatch.delenv("PYSPARK_PYTHON")
    monkeypatch.setattr(spark.sparkContext, "pythonExec", "python3")
    sessions.prepare(spark)
    assert spark.sparkContext.pythonExec == sys.executable == os.environ["PYSPARK_PYTHON"]
    assert spark.conf.get(sessions.STORE) == sessions.ROCKS


def test_the_program_of_the_page_runs(tmp_path):
    page = (Path(__file__).parents[2] / "docs" / "scale.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```py\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert len(blocks) == 1
    (tmp_path / "page.py").write_text(blocks[0], encoding="utf-8")
    java = soak_spark.BRIEF["spark.driver.extraJavaOptions"]
    environment = os.environ | {"PYTHONPATH": str(Path(kernelpick.__file__).parents[1]), "JDK_JAVA_OPTIONS": java}
    command = [sys.executable, "page.py"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert "kettle" in done.stdout
