"""Model files of earlier versions: they load, say what they said, and go on learning as they would have."""

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
from kept import answers

import kernelpick

DATA = Path(__file__).parent / "data"
KEPT = DATA / "models-1.zip"
with zipfile.ZipFile(KEPT) as archive:
    EXPECTED = json.loads(archive.read("models.json"))

# Late classes, late columns, fits, tickets: with bounds checked too.
BOUNDS = (
    "regressor auto at the second fit", "classifier auto, late classes", "river regressor auto at the second fit",
    "regressor oks++", "river regressor oks++", "river regressor lkmbooks", "classifier raker", "river regressor raker",
)  # fmt: skip


def as_given(about):
    """JSON has no tuples, which names of River's columns may be."""
    if about["face"] == "river":
        for rows in (about["rows"], about["more"]):
            rows[:] = [
                [(tuple(name) if isinstance(name, list) else name, value) for name, value in row] for row in rows
            ]
    return about


def assert_close(found, expected, precision, where):
    if isinstance(expected, dict):
        assert found.keys() == expected.keys(), where
        for key in expected:
            assert_close(found[key], expected[key], precision, f"{where}, {key}")
    elif isinstance(expected, list | float) and np.asarray(expected).dtype.kind == "f":
        np.testing.assert_allclose(found, expected, rtol=precision, atol=precision, err_msg=where)
    else:
        assert found == expected, where


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.bounds] * (name in BOUNDS)) for name in EXPECTED]
)
def test_a_kept_model_says_what_it_said_and_goes_on(name, tmp_path):
    about = as_given(EXPECTED[name])
    if about["face"] == "river":
        pytest.importorskip("river")
    if "columns" in about:
        pytest.importorskip("pandas")
    with zipfile.ZipFile(KEPT) as archive:
        path = archive.extract(f"{name}.kpick", tmp_path)
    found = answers(kernelpick.load(path), about)
    for when, said in about["answers"].items():
        if about["face"] == "river" and said.get("kernels") == "()" and "labels" in said:
            # Before there are kernels, probabilities were the sigmoid of a mean; now they are those of the labels.
            del said["values"], found[when]["values"]
        precision = 1e-12 if when == "at first" else 1e-9
        if "huber" in name and when != "at first":
            precision = 1e-2  # it forgets, and old rows lose weight in another way than then
        assert_close(found[when], said, precision, f"{name}, {when}")


def test_the_kept_models_cover_what_there_is():
    """Each face, algorithms with each learner and space, open tickets: a file of each."""
    learners = {said["learner"] for about in EXPECTED.values() for said in about["answers"].values() if said}
    assert learners == {"", "gradient", "adagrad", "newton"}
    assert sum(about["ticket"] is not None for about in EXPECTED.values()) > 80
    assert {about["face"] for about in EXPECTED.values()} == {"sklearn", "river"}


@pytest.mark.parametrize("name", ["auto-5", "auto-6"])
def test_memories_of_an_earlier_auto_go_on(name, tmp_path):
    """Written after 560 of these rows by the revisions 82e39ca (48 pairs a memory, other paces; trees, with fewer rows)
    and 729127f (no line beside the memories, batches of 64 rows; without trees)."""
    with zipfile.ZipFile(DATA / f"{name}.zip") as archive:
        model, said = (
            kernelpick.load(archive.extract(f"{name}.kpick", tmp_path)),
            json.loads(archive.read(f"{name}.json")),
        )
    X = np.random.default_rng(5).normal(size=(700, 2))
    y = np.sin(2 * X[:, 0]) + X[:, 1]
    np.testing.assert_allclose(model.predict(X[660:]), said["at first"], rtol=1e-12)
    model.partial_fit(X[560:660], y[560:660])
    np.testing.assert_allclose(model.predict(X[660:]), said["taught"], rtol=1e-9)
    assert list(model.memories_) == [forgetting for forgetting, _ in said["shares"]]
    np.testing.assert_allclose(list(model.memories_.values()), [share for _, share in said["shares"]], rtol=1e-6)
