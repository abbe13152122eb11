"""What a service needs of a model: its own ids for tickets, metadata, bytes; in both faces."""

import copy
import pickle
from datetime import date

import numpy as np
import pytest
from sklearn.base import clone

import kernelpick
from kernelpick import KernelClassifier, KernelRegressor, ModelFileError
from kernelpick.files.container import seal, snapshot

river = pytest.importorskip("kernelpick.river")

RNG = np.random.default_rng(3)
X = RNG.normal(size=(80, 3))
Y = 7 + 5 * np.sin(X[:, 0])
LABELS = np.where(X[:, 0] > 0, "up", "down")
ROWS = [dict(zip("abc", map(float, x), strict=True)) for x in X]


def learned(estimator):
    """A model of 70 rows, and rows in its form."""
    targets = LABELS if "Classifier" in estimator.__name__ else Y
    if estimator.__module__.startswith("kernelpick.river"):
        model = estimator(n_features=20, seed=0)
        for x, y in zip(ROWS[:70], targets.tolist(), strict=False):
            model.learn_one(x, y)
        return model, ROWS, targets.tolist()
    classes = {"classes": ["down", "up"]} if estimator is KernelClassifier else {}
    return estimator(n_features=20, random_state=0).partial_fit(X[:70], targets[:70], **classes), X, targets.tolist()


FACES = [KernelRegressor, KernelClassifier, river.KernelRegressor, river.KernelClassifier]
all_faces = pytest.mark.parametrize("estimator", FACES, ids=lambda face: f"{face.__module__}.{face.__name__}")


@all_faces
def test_tickets_under_ids_of_the_users_own(estimator, tmp_path):
    model, rows, targets = learned(estimator)
    named, first = model.ask(rows[70], id="order-17"), model.ask(rows[71])
    taken, second = model.ask(rows[72], id=np.int64(1)), model.ask(rows[73])
    assert [ticket.id for ticket in (named, first, taken, second)] == ["order-17", 0, 1, 2]  # 1 was the user's
    assert model.open_tickets() == [named, first, taken, second]
    model.save(tmp_path / "model")
    loaded = kernelpick.load(tmp_path / "model")
    assert loaded.open_tickets() == model.open_tickets()
    for twin in (model, loaded):
        twin.tell("order-17", targets[70]).tell(second.id, targets[73]).tell(taken, targets[72]).drop(first)
        assert twin.open_tickets() == [] and twin.n_rounds_ == 73
        with pytest.raises(ValueError, match="Ticket 'order-17' is unknown"):
            twin.tell("order-17", targets[70])
        with pytest.raises(ValueError, match="Ticket 2 is closed"):
            twin.drop(2)
        assert twin.ask(rows[74], id="order-17").id == "order-17"  # free again
    assert model.to_bytes() == loaded.to_bytes()


@all_faces
def test_an_id_that_is_in_use_is_refused_and_nothing_changes(estimator):
    model, rows, _ = learned(estimator)
    model.ask(rows[70], id="order-17")
    before = pickle.dumps(model)
    unseen = {"new": 1.0} if isinstance(rows[0], dict) else rows[71]
    with pytest.raises(ValueError, match="'order-17' is in use"):
        model.ask(unseen, id="order-17")
    for wrong in (True, 1.5, ("a",)):
        with pytest.raises(ValueError, match="a string or a whole number"):
            model.ask(unseen, id=wrong)
    assert pickle.dumps(model) == before
    assert estimator().open_tickets() == []


@pytest.mark.parametrize("face", ["sklearn", "river"])
def test_open_tickets_tell_what_was_said_then(face):
    """Not what the model would say now, nor what the classes that have joined since make of the values."""
    if face == "sklearn":
        model, rows = KernelClassifier(n_features=20, random_state=0, new_classes="accept"), X
        model.partial_fit(X[:70], LABELS[:70])
    else:
        model, rows, _ = learned(river.KernelClassifier)
    asked = [model.ask(row) for row in rows]
    assert {ticket.prediction for ticket in asked} == {"up", "down"}
    for _ in range(9):
        if face == "sklearn":
            model.partial_fit(X[:2], ["a", "z"])
        else:
            model.learn_one(rows[0], "a")
            model.learn_one(rows[1], "z")
    assert model.open_tickets() == asked
    assert kernelpick.from_bytes(model.to_bytes()).open_tickets() == asked


def test_labels_that_are_objects_can_be_asked_for():
    model = KernelClassifier(n_features=20, random_state=0).fit(X, LABELS.astype(object))
    assert model.ask(X[0]).prediction in ("up", "down")


@all_faces
def test_tickets_of_files_that_do_not_have_what_was_said(estimator):
    """Earlier ones had numbers in an array, and no predictions."""
    model, rows, _ = learned(estimator)
    asked = [model.ask(row) for row in rows]
    header, arrays = snapshot(model)
    arrays["tickets.number"] = np.array([id for id, _ in header["model"].pop("tickets")])
    assert kernelpick.from_bytes(seal(header, arrays)).open_tickets() == asked


@all_faces
def test_tickets_that_are_broken_are_refused(estimator):
    model, rows, _ = learned(estimator)
    model.ask(rows[0]), model.ask(rows[1])
    header, arrays = snapshot(model)
    whole = header["model"]["tickets"]
    for tickets in (
        [whole[0], whole[0]],
        whole[:1],
        [*whole, [7, 1.0]],
        [[True, 1.0], whole[1]],
        [[[], 1.0], whole[1]],
    ):
        header["model"]["tickets"] = tickets
        with pytest.raises(ModelFileError):
            kernelpick.from_bytes(seal(header, arrays))


@all_faces
def test_metadata_is_kept_with_the_model(estimator, tmp_path):
    model, _, _ = learned(estimator)
    assert model.metadata == {}
    about = {"name": "prices", "trained": [2024, None, True, 1.5], "owner": {"team": "north"}}
    model.metadata = about
    model.metadata["later"] = "yes"
    assert "later" not in about
    model.save(tmp_path / "model")
    for twin in (kernelpick.load(tmp_path / "model"), copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert twin.metadata == {**about, "later": "yes"}
    assert (model.clone() if hasattr(model, "clone") else clone(model)).metadata == {}
    fresh = estimator()
    fresh.metadata = about
    assert kernelpick.from_bytes(fresh.to_bytes()).metadata == about


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (
            {"a": [1, {"b": date(2024, 1, 1)}]},
            r"metadata\['a'\]\[1\]\['b'\] is datetime.date\(2024, 1, 1\), which JSON",
        ),
        ({"a": float("nan")}, r"metadata\['a'\] is nan, which JSON"),
        ({"a": (1, 2)}, r"metadata\['a'\] is \(1, 2\), which JSON"),
        ({"a": {1: 2}}, r"metadata\['a'\] has the key 1, and keys of JSON are strings"),
        ([1], r"metadata must be a dict, not \[1\]"),
        (None, "metadata must be a dict, not None"),
    ],
)
def test_what_is_no_json_is_refused(value, sentence, tmp_path):
    model = KernelRegressor()
    model.metadata = {"kept": 1}
    with pytest.raises(ValueError, match=sentence):
        model.metadata = value
    assert model.metadata == {"kept": 1}
    if isinstance(value, dict):
        model.metadata.update(value)
        with pytest.raises(ValueError, match=sentence):
            model.save(tmp_path / "model")
        assert list(tmp_path.iterdir()) == []


def test_metadata_that_holds_itself():
    model, circle = KernelRegressor(), {}
    circle["self"] = circle
    with pytest.raises(ValueError, match="holds itself"):
        model.metadata = circle


@pytest.mark.parametrize("metadata", [[], 3, None])
def test_metadata_of_a_forged_file(metadata):
    header, arrays = snapshot(KernelRegressor())
    with pytest.raises(ModelFileError, match="metadata must be a dict"):
        kernelpick.from_bytes(seal({**header, "metadata": metadata}, arrays))


@all_faces
def test_bytes_are_those_of_a_file(estimator, tmp_path):
    model, _, _ = learned(estimator)
    content = model.to_bytes()
    model.save(tmp_path / "model")
    assert (tmp_path / "model").read_bytes() == content
    for given in (content, bytearray(content), memoryview(content)):
        assert kernelpick.from_bytes(given).to_bytes() == content
    with pytest.raises(ModelFileError, match="checksum"):
        kernelpick.from_bytes(content[:200] + b"x" + content[201:])
    with pytest.raises(TypeError, match="load takes a path"):
        kernelpick.from_bytes(str(tmp_path / "model"))
    with pytest.raises(TypeError, match="Own can't be saved"):
        type("Own", (estimator,), {})().to_bytes()


def test_the_way_of_missing_labels_is_saved():
    for estimator in FACES:
        assert kernelpick.from_bytes(estimator(missing_label="skip").to_bytes()).missing_label == "skip"
