"""size="small" and "tiny": models that are small in files, too, and go on from there to the bit."""

import numpy as np
import pytest

import kernelpick
from kernelpick import Algorithm, KernelClassifier, KernelRegressor, core
from kernelpick.core.algorithms import SMALL
from kernelpick.core.numerics.panels import in_panels
from kernelpick.files import compact
from kernelpick.files.container import ModelFileError, seal, unseal

RNG = np.random.default_rng(4)
X = RNG.normal(size=(1400, 10))
Y = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2]
MOST = {"small": 200_000, "tiny": 16_000}


@pytest.mark.parametrize("size", MOST)
@pytest.mark.parametrize("face", [KernelRegressor, KernelClassifier])
def test_files_are_small_at_any_moment_and_the_model_goes_on(face, size):
    y = Y if face is KernelRegressor else Y > 0
    options = {} if face is KernelRegressor else {"classes": [False, True]}
    model, again = face(size=size, random_state=0), face(size=size, random_state=0)
    for start in range(0, 1400, 61):
        rows = slice(start, start + 61)
        model.partial_fit(X[rows], y[rows], **options)
        again = kernelpick.from_bytes(again.partial_fit(X[rows], y[rows], **options).to_bytes())
        assert len(model.to_bytes()) <= MOST[size]
    assert again.to_bytes() == model.to_bytes()
    assert model.score(X, y) > (0.5 if size == "small" else 0.3)


def test_a_small_model_learns_by_matrices_and_a_tiny_one_by_steps():
    found = [KernelRegressor(size=size, random_state=0).partial_fit(X, Y) for size in ("full", *MOST)]
    assert [model.learner_ for model in found] == ["newton", "newton", "adagrad"]
    assert [len(model.kernels_) for model in found] == [8, 3, 3]  # four widths and four of a learned metric
    losses = [model.loss_ for model in found]
    assert losses[0] < losses[1] < losses[2]


@pytest.mark.parametrize("size", MOST)
def test_nobody_is_beside_the_kernels_of_small_models_unless_asked_for(size):
    model = KernelRegressor(size=size, random_state=0).partial_fit(X[:600], Y[:600])
    assert model.memories_ == {1.0: 1.0} and model._model.companions is None
    asked = KernelRegressor(size=size, companions=["trees"], random_state=0).partial_fit(X[:600], Y[:600])
    again = kernelpick.from_bytes(asked.to_bytes())
    assert asked.companions_["trees"] > 0.0 and np.array_equal(again.predict(X), asked.predict(X))


@pytest.mark.parametrize("size", MOST)
def test_a_trace_is_the_small_estimator(size):
    model = KernelRegressor(size=size, random_state=0, n_features=16)
    trace = kernelpick.trace(f"auto-{size}", X[:400], Y[:400], loss="square", random_state=0, n_features=16)
    assert np.array_equal(model.progressive_fit(X[:400], Y[:400]), trace.predictions)


@pytest.mark.parametrize("forgetting", [0.99, 0.9, 0.3])
def test_small_models_forget_as_others_do(forgetting):
    """Ridges come back no more of them at a time than there is room for, and rows wait no longer than they may."""
    said = []
    for size in (SMALL, SMALL._replace(batch=64)):
        row = Algorithm("augmented", "newton", "leader", size=size)
        spec = core.Specification(row, "square", 10, n_features=32, forgetting=forgetting, hypotheses=6.0)
        state = core.start(spec)
        for i in range(300):
            state = core.advance(spec, state, X[i : i + 1], Y[i : i + 1, None])[0]
            assert state.learner.waiting.max() < size.batch
        said.append(core.values(spec, state, X[300:400]))
        assert np.isfinite(said[-1]).all()
    errors = [np.mean((values[:, 0] - Y[300:400]) ** 2) for values in said]
    assert np.isclose(*errors, rtol=0.2)


def test_the_rows_of_a_batch_do_not_matter_but_for_rounding():
    """A small model takes rows into its matrices 16 at a time where others take 64."""
    said = []
    for size in (SMALL, SMALL._replace(batch=64)):
        spec = core.Specification(Algorithm("augmented", "newton", "leader", size=size), "square", 10, n_features=8)
        state = core.advance(spec, core.start(spec), X[:300], Y[:300, None])[0]
        assert state.learner.K.shape[1] == size.batch
        said.append(core.values(spec, state, X[300:350]))
    assert np.allclose(*said, rtol=0, atol=1e-10) and not np.array_equal(*said)


def test_half_a_matrix_is_a_whole_one():
    A = np.arange(24.0 * 24).reshape(24, 24)
    P = np.stack([in_panels(A + A.T), in_panels(3.0 * (A + A.T))])
    packed = compact.packed({"state.learner.P": P})["state.learner.P"]
    model = KernelRegressor(size="small", n_features=4, kernels=[1.0, 2.0], random_state=0).partial_fit(
        X[:8, :9], Y[:8]
    )
    whole = compact.unpacked(model._model.spec.problem(1), {"state.learner.P": packed})["state.learner.P"]
    assert packed.size < 0.7 * P.size and np.array_equal(whole, P)


@pytest.mark.parametrize("damage", [lambda P: P[:, :-1], lambda P: P.astype(np.float32), lambda P: P[:-1]])
def test_half_matrices_of_another_size_are_refused(damage):
    header, arrays = unseal(KernelRegressor(size="small", random_state=0).partial_fit(X, Y).to_bytes())
    with pytest.raises(ModelFileError, match="no half of matrices"):
        kernelpick.from_bytes(seal(header, arrays | {"state.learner.P": damage(arrays["state.learner.P"])}))


def test_kept_rows_of_double_precision_are_refused():
    header, arrays = unseal(KernelRegressor(size="tiny", random_state=0).partial_fit(X, Y).to_bytes())
    with pytest.raises(ModelFileError, match="single precision"):
        kernelpick.from_bytes(seal(header, arrays | {"recent.X": arrays["recent.X"].astype(np.float64)}))


def test_sizes_that_there_are_not_and_other_algorithms_are_refused():
    with pytest.raises(ValueError, match="size"):
        KernelRegressor(size="huge").partial_fit(X, Y)
    with pytest.raises(ValueError, match="belongs to algorithm='auto'"):
        KernelRegressor("rf-oks++", size="tiny").partial_fit(X, Y)


def test_rivers_models_have_sizes_too():
    river = pytest.importorskip("river") and pytest.importorskip("kernelpick.river")
    model = river.KernelRegressor(size="tiny", seed=0)
    for row, y in zip(X[:200].tolist(), Y, strict=False):
        model.learn_one(dict(enumerate(row)), y)
    assert model.learner_ == "adagrad" and len(model.to_bytes()) < 17_000


def test_a_prior_fades_and_helps_the_first_rows():
    """Streams that are alike: a new one begins with what many others have in common."""
    shared = KernelRegressor(random_state=0, n_features=24).partial_fit(X, Y)
    fresh = np.random.default_rng(5).normal(size=(100, 10))
    y = np.sin(2 * fresh[:, 0]) + fresh[:, 1] * fresh[:, 2] + 0.5
    errors = []
    for model in (KernelRegressor(random_state=0, n_features=24), shared.blank(), shared.blank(64.0)):
        errors.append(np.mean((model.progressive_fit(fresh, y) - y) ** 2))
    assert errors[2] < 0.7 * errors[1] and errors[2] < 0.7 * errors[0]
    later = shared.blank(64.0).partial_fit(X, -Y)  # it was wrong
    assert later.score(X, -Y) > shared.blank().partial_fit(X, -Y).score(X, -Y) - 0.05
