"""What is learned does not depend on how rows come, and predicting changes nothing."""

import copy
import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import kernelpick
from kernelpick import KernelClassifier, KernelRegressor
from kernelpick.core.algorithms import PAPER
from kernelpick.core.state import arrays as state_arrays

RNG = np.random.default_rng(5)
X = RNG.normal(size=(300, 4)) * [1, 50, 0.01, 1] + [0, 900, 0, 3]
Y = 40 * np.sin(X[:, 0]) + X[:, 1]
LABELS = np.where(X[:, 0] > 0.6, "high", np.where(X[:, 0] < -0.6, "low", "middle"))
WEIGHTS = RNG.choice([0.0, 1.0, 2.5], size=len(X))
SMALL = {"n_features": 40, "random_state": 3}


def arrays(model):
    return state_arrays(model._model.state)


def assert_same(one, other):
    assert one.n_rounds_ == other.n_rounds_
    assert one.loss_ == other.loss_
    first, second = arrays(one), arrays(other)
    assert all(np.array_equal(first[name], second[name]) for name in first)


def streams():
    binary = np.where(X[:, 0] > 0, 1, 0)
    return {
        "regression": (KernelRegressor(**SMALL), Y, {}),
        "unscaled": (KernelRegressor(**SMALL, scale=None, scale_target=False, kernels=[30.0, 90.0]), Y / 1000, {}),
        "binary": (KernelClassifier(**SMALL), binary, {"classes": [0, 1]}),
        "multi-class": (KernelClassifier(**SMALL, loss="squared_hinge"), LABELS, {"classes": np.unique(LABELS)}),
        "exact": (KernelRegressor("oks++", **SMALL), Y, {}),
        "all play": (KernelRegressor("raker", **SMALL), Y, {}),
        "classes appear": (KernelClassifier(**SMALL, new_classes="accept"), LABELS, {}),
    }


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["plain", "weighted"])
@pytest.mark.parametrize("name", streams())
def test_progressive_fit_is_drawn_prediction_then_partial_fit(name, weights):
    model, y, first = streams()[name]
    at = 5 if weights is None else int(np.flatnonzero(weights)[0]) + 1
    slowly, at_once = copy.deepcopy(model), copy.deepcopy(model)
    for twin in (slowly, at_once):
        twin.partial_fit(X[:at], y[:at], sample_weight=None if weights is None else weights[:at], **first)
    said = []
    for t in range(at, len(X)):
        row = slice(t, t + 1)
        before = pickle.dumps(slowly)
        said.append(slowly.predict(X[row], selection="drawn")[0])
        alike = pickle.dumps(slowly) == before
        assert alike  # without a comparison of megabytes, which takes for ever
        slowly.partial_fit(X[row], y[row], sample_weight=None if weights is None else weights[row])
    together = at_once.progressive_fit(X[at:], y[at:], sample_weight=None if weights is None else weights[at:])
    assert (together == np.array(said)).all()
    assert_same(slowly, at_once)


def test_without_scaling_it_is_the_trace_of_the_paper():
    widths, z = [0.5, 1.0, 2.0], X / np.abs(X).max(0)
    y = (Y - Y.min()) / np.ptp(Y)
    model = KernelRegressor("rf-oks++", kernels=widths, scale=None, scale_target=False, radius=1.0, n_features=50)
    model.set_params(random_state=9)
    trace = kernelpick.trace("rf-oks++", z, y, loss="square", widths=widths, n_features=50, random_state=9)
    assert (model.progressive_fit(z, y) == trace.predictions).all()
    assert model.loss_ == pytest.approx(trace.losses.mean(), rel=1e-12)
    assert (model.probabilities_ == trace.weights).all()


def test_the_future_does_not_leak_into_predictions():
    changed = X.copy()
    changed[200:] = 1e6
    one, other = KernelRegressor(**SMALL), KernelRegressor(**SMALL)
    assert (
        one.progressive_fit(X, Y)[:200] == other.progressive_fit(changed, np.append(Y[:200], Y[200:] * 9))[:200]
    ).all()


def test_before_the_kernels_the_mean_of_the_targets_is_predicted():
    model = KernelRegressor("rf-oks++", **SMALL)
    said = model.progressive_fit(X[:31], Y[:31])
    assert said[0] == 0
    assert said[1:] == pytest.approx([Y[:t].mean() for t in range(1, 31)])
    assert model.kernels_ == () and model.n_rounds_ == 31
    assert model.predict(X[:2]) == pytest.approx(Y[:31].mean())
    classifier = KernelClassifier("rf-oks++", **SMALL).partial_fit(X[:9], ["a"] * 3 + ["b"] * 6, classes=["a", "b"])
    assert set(classifier.predict(X)) == {"b"}


def test_statistics_are_frozen():
    model = KernelRegressor("rf-oks++", **SMALL)
    rows = np.tile(X, (4, 1))
    model.partial_fit(rows[:1000], np.tile(Y, 4)[:1000])
    center, spread = frozen = model._model.inputs.unit[:2, 0]
    assert center == pytest.approx(rows[:1000].mean(0))
    assert spread == pytest.approx(rows[:1000].std(0))
    model.partial_fit(rows + spread, np.tile(Y, 4))
    assert (model._model.inputs.unit[:2, 0] == frozen).all()


@pytest.mark.parametrize("scale", ["standard", "range", "maxabs"])
def test_units_do_not_matter(scale):
    one = KernelRegressor(**SMALL, scale=scale).fit(X, Y)
    other = KernelRegressor(**SMALL, scale=scale).fit(X * 1024, Y * 4)
    assert other.predict(X * 1024) == pytest.approx(4 * one.predict(X))


def test_a_weight_of_zero_is_no_round():
    model = KernelRegressor(**SMALL).fit(X, Y)
    before = arrays(copy.deepcopy(model))
    model.partial_fit(X[:20] * 1e9, Y[:20], sample_weight=np.zeros(20))
    assert all(np.array_equal(before[name], array) for name, array in arrays(model).items())


def test_sparse_rows_are_the_same_rows(monkeypatch):
    from kernelpick.sklearn import inputs

    monkeypatch.setattr(inputs, "PART_ENTRIES", 64)
    z = X * (RNG.random(X.shape) < 0.3)
    dense = KernelRegressor(**SMALL, passes=2).fit(z, Y)
    csr = KernelRegressor(**SMALL, passes=2).fit(sparse.csr_array(z), Y)
    assert_same(dense, csr)
    assert (dense.predict(z) == csr.predict(sparse.csr_matrix(z))).all()


def test_fit_of_one_pass_is_partial_fit():
    one, other = KernelRegressor("rf-oks++", **SMALL, passes=1), KernelRegressor("rf-oks++", **SMALL)
    assert_same(one.fit(X, Y), other.partial_fit(X, Y))
    rows, targets = np.tile(X, (2, 1)), np.tile(Y, 2)  # "auto": with enough rows for its last fit
    assert_same(KernelRegressor(**SMALL).fit(rows, targets), KernelRegressor(**SMALL).partial_fit(rows, targets))


@pytest.mark.parametrize("algorithm", [*PAPER, "auto", "leader-adagrad"])
def test_attributes(algorithm):
    model = KernelRegressor(algorithm, **SMALL, passes=1).fit(X, Y)
    assert model.n_rounds_ == 300 and np.isfinite(model.loss_) and model.memory_bytes_ > 1000
    assert model.probabilities_.sum() == pytest.approx(1) and len(model.kernels_) == len(model.probabilities_)
    assert hasattr(model, "support_size_") != hasattr(model, "n_features_used_")
    assert not hasattr(KernelRegressor(algorithm), "kernels_")


def test_masks_and_imaginary_parts_are_refused():
    masked = np.ma.array(X, mask=X > X.max() - 1)
    for call in (
        lambda: KernelRegressor(**SMALL).fit(masked, Y),
        lambda: KernelRegressor(**SMALL).fit(X, Y).predict(masked),
        lambda: KernelRegressor(**SMALL).fit(X, np.ma.array(Y, mask=Y > Y.max() - 1)),
        lambda: KernelRegressor(**SMALL).fit(X, Y, sample_weight=np.ma.array(abs(Y), mask=Y > Y.max() - 1)),
    ):
        with pytest.raises(ValueError, match="masked entries"):
            call()
    for y in (Y + 1j, (Y + 1j).tolist()):
        with pytest.raises(ValueError, match="Complex data not supported"):
            KernelRegressor(**SMALL).fit(X, y)
    assert KernelRegressor(**SMALL).fit(np.ma.array(X, mask=False), Y).n_rounds_ == 300


def test_a_whole_number_of_hypotheses_compiles_nothing_again():
    """Compiled code is made for types: an integer would be another one."""
    model = KernelRegressor(**SMALL, hypotheses=5, forgetting=1).partial_fit(X[:70], Y[:70])
    state = model._model.state
    assert type(state.selector.hypotheses) is float and state.learner.forgetting.dtype == float
    assert model.get_params()["hypotheses"] == 5 and type(model.get_params()["hypotheses"]) is int
    with pytest.raises(ValueError, match="hypotheses must be"):
        KernelRegressor(hypotheses="5").fit(X, Y)


def test_bad_input_leaves_the_model_as_it_was():
    model = KernelClassifier(**SMALL).fit(X, LABELS)
    before = pickle.dumps(model)
    bad = X.copy()
    bad[7, 1] = np.nan
    for call in (
        lambda: model.partial_fit(bad, LABELS),
        lambda: model.fit(bad[:, :2], LABELS),
        lambda: model.fit(X[:, :2], LABELS[:-1]),
        lambda: model.partial_fit(X, LABELS[:-1]),
        lambda: model.partial_fit(X[:, :3], LABELS),
        lambda: model.partial_fit(X, np.full(300, "else")),
        lambda: model.partial_fit(X, LABELS, sample_weight=-np.ones(300)),
        lambda: model.predict(X, selection="lead"),
        lambda: KernelRegressor(**SMALL).fit(X, np.append(Y[:-1], np.inf)),
        lambda: KernelRegressor(loss="hinge").fit(X, Y),
        lambda: KernelRegressor(kernels="wide").fit(X, Y),
        lambda: KernelRegressor(scale="big").fit(X, Y),
        lambda: KernelRegressor(passes=0).fit(X, Y),
    ):
        with pytest.raises(ValueError):
            call()
    assert pickle.dumps(model) == before


def test_frames_have_their_columns_checked():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    for make in (pandas.DataFrame, polars.DataFrame):
        frame = make({"a": X[:, 0], "b": X[:, 1], "c": X[:, 2]})
        model = KernelRegressor(**SMALL, passes=1).fit(frame, Y)
        assert model.feature_names_in_.tolist() == ["a", "b", "c"]
        assert_same(model, KernelRegressor(**SMALL, passes=1).fit(X[:, :3].copy(), Y))
        with pytest.raises(ValueError, match="Column 0 is 'b' where 'a' is expected"):
            model.predict(frame[["b", "a", "c"]])
        with pytest.raises(ValueError, match="c"):
            model.partial_fit(frame[["a", "b"]], Y)


@pytest.mark.filterwarnings("ignore:Scoring failed")
def test_it_works_inside_scikit_learn():
    model = make_pipeline(StandardScaler(), KernelRegressor(**SMALL, scale=None, passes=5))
    assert cross_val_score(model, X, Y, cv=3).mean() > 0.5
    search = GridSearchCV(KernelClassifier(**SMALL), {"algorithm": ["rf-oks++", "raker"]}, cv=3).fit(X, LABELS)
    assert search.best_score_ > 0.8


def test_it_works_on_raw_data():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(2000, 6)) * [1e-4, 1, 1e5, 1, 1, 1] + [0, 1e3, 0, 0, 0, 0]
    y = 1e6 + 1e4 * (np.sin(1e4 * x[:, 0]) + 1e-5 * x[:, 2] * x[:, 3])
    assert KernelRegressor(random_state=0).fit(x[:1500], y[:1500]).score(x[1500:], y[1500:]) > 0.4


def test_pickles_and_copies_go_on_alike():
    for algorithm in ("rf-oks++", "oks++"):
        model = KernelRegressor(algorithm, **SMALL).partial_fit(X[:100], Y[:100])
        twins = [copy.deepcopy(model), pickle.loads(pickle.dumps(model, protocol=5)), pickle.loads(pickle.dumps(model))]
        expected = model.progressive_fit(X[100:], Y[100:])
        for twin in twins:
            assert (twin.progressive_fit(X[100:], Y[100:]) == expected).all()
