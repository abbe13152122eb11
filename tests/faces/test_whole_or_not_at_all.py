"""A call that is refused, warned of or interrupted leaves a model that is whole."""

import os
import signal
import threading
import time
import warnings

import numpy as np
import pytest

import kernelpick
from kernelpick import KernelClassifier, KernelRegressor
from kernelpick.files.container import from_bytes, seal, unseal
from kernelpick.online.scaling import ABSENT, ROWS, TOTAL

pandas = pytest.importorskip("pandas")
pytest.importorskip("river")
from kernelpick import river  # noqa: E402

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("algorithm", ["auto", "rf-oks++"])
def test_texts_that_are_missing_in_all_rows_of_a_part(algorithm):
    """A column of texts without any text in some rows was an IndexError, and the model half changed."""
    frame = pandas.DataFrame({"city": [None, "Oslo", "Rome", "Lima"] * 5, "a": range(20)})
    whole = KernelRegressor(algorithm, n_features=8, random_state=0).fit(frame, frame.a)
    assert whole.n_rounds_ >= 20
    stream = river.KernelRegressor(algorithm, n_features=8, seed=0)
    stream.learn_many(frame, frame.a)
    gaps = KernelRegressor(algorithm, n_features=8, missing_label="skip")
    gaps.partial_fit(pandas.DataFrame({"c": ["a", "b", None]}), [1.0, 2.0, None])
    assert gaps.n_rounds_ == 2 and stream.n_rounds_ == 20


def test_a_warning_that_is_an_error_leaves_the_model_whole():
    X = RNG.normal(size=(3000, 2))
    X[1000:] *= 100
    strict, mild = (KernelRegressor(n_features=16, random_state=0) for _ in range(2))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="left the range"):
            strict.partial_fit(X, X[:, 0])
    with pytest.warns(UserWarning, match="left the range"):
        mild.partial_fit(X, X[:, 0])
    assert strict.to_bytes() == mild.to_bytes() == from_bytes(strict.to_bytes()).to_bytes()
    assert strict.partial_fit(X[:1], [0.0]).n_rounds_ == 3001


@pytest.mark.parametrize("algorithm", ["auto", "rf-oks++"])
@pytest.mark.parametrize("size", [1e152, 1e200, 1e300])
def test_a_target_out_of_all_proportion_teaches_nothing(algorithm, size):
    X = RNG.normal(size=(1500, 2))
    y = X[:, 0].copy()
    model = KernelRegressor(algorithm, n_features=16, random_state=0).partial_fit(X[:1400], y[:1400])
    before = model.predict(X)
    with pytest.warns(RuntimeWarning, match="nothing was learned from that row"):
        model.partial_fit(X[:1], [size])
    assert (model.predict(X) == before).all()


def test_a_refused_batch_changes_nothing():
    frame = pandas.DataFrame({"a": RNG.normal(size=20), "b": RNG.normal(size=20)})
    labels = np.array(["x"] * 10 + ["y"] * 10)
    gaps = frame.copy()
    gaps.loc[15, "a"] = np.nan
    model = KernelClassifier(missing="raise", new_classes="accept", random_state=0).partial_fit(frame[:10], labels[:10])
    before = model.to_bytes()
    for classes in (None, ["x", "y", "z"]):
        with pytest.raises(ValueError, match="'a' is missing in row 15"):
            model.partial_fit(gaps, labels, classes=classes)
        assert model.to_bytes() == before and model.classes_.tolist() == ["x"]


def test_a_series_for_several_targets_changes_nothing():
    frame = pandas.DataFrame({"a": RNG.normal(size=100)})
    model = river.KernelRegressor(seed=0, n_features=8)
    model.learn_many(frame, pandas.DataFrame({"u": frame.a, "v": -frame.a}))
    before = model.to_bytes()
    with pytest.raises(ValueError, match=r"has the targets \['u', 'v'\]: give a frame of them"):
        model.learn_many(frame.assign(new=1.0), frame.a)
    assert model.to_bytes() == before
    for wrong in ([1, 2], "a", None):
        with pytest.raises(ValueError, match="A row is a dict of features"):
            model.learn_one(wrong, {"u": 1.0, "v": 2.0})
    assert len(model.predict_many(frame[:0])) == 0 and model.to_bytes() == before


def test_a_file_whose_labels_are_scaled_is_refused():
    """Compiled code wrote beyond the statistics of the targets when classes joined."""
    X = RNG.normal(size=(700, 2))
    model = KernelClassifier("rf-oks++", n_features=8, random_state=0).fit(X, X[:, 0] > 0)
    header, arrays = unseal(model.to_bytes())
    header.pop("arrays")
    header["model"]["plan"]["scale_target"] = True
    with pytest.raises(kernelpick.ModelFileError, match="labels can't be scaled"):
        from_bytes(seal(header, arrays))


def test_a_snapshot_between_two_pieces_is_a_model_of_its_rows():
    X = RNG.normal(size=(60_000, 3))
    y = np.sin(X[:, 0])
    model = KernelRegressor("rf-oks++", n_features=32, random_state=0).partial_fit(X[:1], y[:1])
    thread = threading.Thread(target=lambda: model.partial_fit(X[1:], y[1:]))
    thread.start()
    kept = []
    while thread.is_alive():
        kept.append(model.to_bytes())
        time.sleep(0.01)
    thread.join()
    for content in {kept[0], kept[len(kept) // 2], kept[-1]}:
        copy = from_bytes(content)
        rounds = copy.n_rounds_
        assert (copy if rounds == len(X) else copy.partial_fit(X[rounds:], y[rounds:])).to_bytes() == model.to_bytes()


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="there are no such signals here")
@pytest.mark.parametrize("table", [False, True])
def test_an_interrupted_call_leaves_the_model_of_its_rows(table, request):
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)  # a process in the background may ignore it
    request.addfinalizer(lambda: signal.signal(signal.SIGINT, handler))
    X = RNG.normal(size=(120_000, 3))
    y, rows = X[:, 0], pandas.DataFrame(X, columns=list("abc")).assign(t="x") if table else X
    model = KernelRegressor("rf-oks++", n_features=64, random_state=0).partial_fit(rows[:600], y[:600])
    threading.Timer(0.05, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        while True:  # until it is heard
            model.partial_fit(rows[600:], y[600:])
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    order = np.concatenate([np.arange(600), np.tile(np.arange(600, len(X)), 1 + model.n_rounds_ // 100_000)])
    order = order[: model.n_rounds_]
    alone = KernelRegressor("rf-oks++", n_features=64, random_state=0)
    alone.partial_fit(rows.iloc[order] if table else X[order], y[order])
    assert alone.to_bytes() == model.to_bytes()


def test_a_reader_finds_a_model_that_has_just_begun():
    frame = pandas.DataFrame({"city": ["Oslo", "Rome"] * 30, "a": range(60)})
    for model in (KernelRegressor(n_features=8, random_state=0), KernelClassifier(n_features=8, random_state=0)):
        begun, y = [], frame.a if isinstance(model, KernelRegressor) else frame.city
        with pytest.MonkeyPatch.context() as patch:
            from kernelpick.columns import learning

            def learn(*given, own=learning.learn, model=model, begun=begun):
                begun.append(read(model, frame))
                return own(*given)

            patch.setattr(learning, "learn", learn)
            model.fit(frame, y)
        assert begun and len(begun[0]) == 60


def read(model, frame):
    """What a reader does at a moment that is hard to hit."""
    from_bytes(model.to_bytes()).inputs_  # noqa: B018
    return model.predict(frame)


def test_a_ticket_from_before_a_column_says_nothing_about_it():
    for algorithm in ("auto", "rf-oks++"):
        model, rng = river.KernelRegressor(algorithm, n_features=8, seed=0), np.random.default_rng(1)
        for u in rng.uniform(-1, 1, 600):
            model.learn_one({"a": u}, u)
        tickets = [model.ask({"a": 0.5}) for _ in range(20)]
        for u, v in rng.uniform(-1, 1, size=(600, 2)):
            model.learn_one({"a": u, "p": 101325 + 500 * v}, u + v)
        column = model._model.names["p"]
        table = model._model.inputs.table
        before = table[TOTAL, column] / (table[ROWS, 0] - table[ABSENT, column])
        for ticket in tickets:
            model.tell(ticket, 0.5)
        assert table[TOTAL, column] / (table[ROWS, 0] - table[ABSENT, column]) == pytest.approx(before)


def test_numbers_of_an_ignored_column_read_as_missing():
    rng, model = np.random.default_rng(0), river.KernelRegressor(n_features=16, seed=0)
    with pytest.warns(UserWarning, match="'id' is ignored"):
        for i in range(900):
            x = {"id": float(rng.normal(300, 30)) if i % 3 == 0 else f"u{i}", "a": float(rng.normal())}
            model.learn_one(x, x["a"])
    assert model.out_of_range_ < 50


def test_rows_that_weigh_nothing_bring_no_class():
    model = river.KernelClassifier("rf-oks++", n_features=8, seed=0)
    for i in range(50):
        model.learn_one({"a": float(i % 7)}, "xy"[i % 2])
    model.learn_one({"a": 1.0}, "z", w=0.0)
    assert set(model.predict_proba_one({"a": 1.0})) == {"x", "y"}


def test_arrays_that_are_refused_say_what_to_do(tmp_path):
    with pytest.raises(ValueError, match=r"contains NaN.* Set missing='mean' or 'zero'"):
        KernelRegressor().fit(np.array([[1.0, np.nan], [2.0, 3.0]]), [1.0, 2.0])
    with pytest.raises(ValueError, match=r"could not convert string.* give columns of texts and dates in a data frame"):
        KernelRegressor().fit([["a", 1], ["b", 2]], [1.0, 2.0])
    model = KernelRegressor("rf-oks++", n_features=8).fit(np.eye(3), [1.0, 2.0, 3.0])
    with pytest.raises(IsADirectoryError, match="is a folder"):
        model.save(tmp_path)
    with pytest.raises(FileNotFoundError) as told:
        model.save(tmp_path / "none" / "x.kpick")
    assert told.value.filename == str(tmp_path / "none" / "x.kpick") and not list(tmp_path.iterdir())


def test_zeros_for_what_is_missing_in_an_array_after_a_frame():
    frame = pandas.DataFrame(RNG.normal(size=(600, 3)), columns=list("abc"))
    y = frame.a + 10 * frame.c
    frame.loc[0, "b"] = np.nan
    model = KernelRegressor(missing="zero", random_state=0, n_features=16).fit(frame, y)
    some = frame[:3].fillna(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert (model.predict(some) == model.predict(some.to_numpy())).all()


def test_the_loss_of_several_targets_is_a_mean_also_where_they_are_not_scaled():
    X = RNG.normal(size=(300, 2))
    settings = {"scale_target": False, "kernels": [1.0], "n_features": 16, "random_state": 0, "forgetting": 1.0}
    one, two = KernelRegressor(**settings), KernelRegressor(**settings)
    one.progressive_fit(X, X[:, 0])
    two.progressive_fit(X, X[:, [0, 0]])
    assert two.loss_ == pytest.approx(one.loss_)
