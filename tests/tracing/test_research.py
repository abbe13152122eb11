"""For researchers: the feature map, p of all arms in each round, several seeds, and a warning when losses explode."""

import warnings

import numpy as np
import pytest
from problems import ALGORITHMS, COMPOSED, loss_for, numbers_for, stream

import kernelpick
from kernelpick import Cauchy, Gaussian, Laplacian, Linear, Matern32, Matern52, core
from kernelpick.core.algorithms import OURS
from kernelpick.lab.datasets import fetch
from kernelpick.lab.datasets.prepared import dataset
from kernelpick.lab.datasets.registry import REGISTRY

SPECTRAL = (Gaussian(0.7), Laplacian(2.0), Matern32(1.0), Matern52(0.8), Cauchy(1.5))
FIELDS = ("arms", "probabilities", "predictions", "losses", "weights", "players")


@pytest.mark.parametrize("given", ["seed", "orthogonal", "frequencies"])
def test_features_are_those_that_a_run_works_with(given):
    """What a state says is the product of its weights and the public features."""
    X, y, _, frequencies = stream("square", 200, inputs=4, n_features=9)
    drawn = {"frequencies": frequencies if given == "frequencies" else None}
    spec = core.Specification(
        "rf-oks++", "square", 4, SPECTRAL, n_features=9, random_state=3, orthogonal=given == "orthogonal"
    )
    state, _ = core.advance_in_place(spec, core.start(spec, **drawn), X, y[:, None])
    said = core.values(spec, state, X)[:, :, 0]
    for arm, kernel in enumerate(SPECTRAL):
        z = kernelpick.features(kernel, X, 9, orthogonal=given == "orthogonal", random_state=3, **drawn)
        assert z.shape == (200, 18) and np.allclose((z**2).sum(1), 1)
        assert np.abs(said[:, arm]).max() > 0
        assert np.allclose(z @ state.space.weights[arm, 0], said[:, arm], rtol=1e-10, atol=1e-12)


def test_features_of_a_kernel_that_has_none():
    with pytest.raises(ValueError, match="no random features"):
        kernelpick.features(Linear(), np.ones((2, 2)))
    with pytest.raises(ValueError, match="n_features must be"):
        kernelpick.features(Gaussian(1.0), np.ones((2, 2)), n_features=0)


@pytest.mark.parametrize("algorithm", [*ALGORITHMS, *COMPOSED])
def test_p_of_every_round_is_what_the_rounds_before_leave(algorithm):
    loss, uniforms = loss_for(algorithm, "square"), numbers_for(algorithm, 90)
    X, y, _, frequencies = stream(loss, 90)
    options = {"loss": loss, "frequencies": frequencies, "widths": np.geomspace(0.2, 5, 12), "horizon": 90}
    options |= {"budget": 20, "step_scale": 1.0}
    plain = kernelpick.trace(algorithm, X, y, uniforms=uniforms, **options)
    run = kernelpick.trace(algorithm, X, y, uniforms=uniforms, every_round=True, **options)
    for field in FIELDS:
        assert np.array_equal(getattr(run, field), getattr(plain, field), equal_nan=True), field
    assert plain.every_p is plain.playing is None
    assert run.every_p.shape == run.playing.shape == (90, 12)
    assert np.allclose(run.every_p.sum(axis=1), 1, atol=1e-12) and (run.every_p >= 0).all()
    for t in (1, 40, 89):
        before = kernelpick.trace(algorithm, X[:t], y[:t], uniforms=uniforms[:t], **options)
        assert np.array_equal(run.every_p[t], before.weights)
    spoke = run.arms >= 0
    assert run.playing[spoke.nonzero()[0], run.arms[spoke]].all()
    if OURS[algorithm].selector.by_p:
        assert np.array_equal(run.every_p[np.arange(90), run.arms], run.probabilities)
        assert (run.playing.sum(axis=1) == 1).all() and np.array_equal(run.players[:, 0], run.arms)
    elif OURS[algorithm].selector.shown == 2:
        assert run.arms.shape == (90, 2) and np.array_equal(run.arms, run.players)
        assert np.array_equal(run.every_p[np.arange(90), run.arms[:, 0]], run.probabilities)
        assert (run.playing.sum(axis=1) == 1 + (run.arms[:, 0] != run.arms[:, 1])).all()
    elif OURS[algorithm].selector.plays_all:
        assert run.playing.all() and not spoke.any()
    else:
        assert (run.playing.sum(axis=1) == 8).all()  # the opening of the leader: whoever has a seat


def test_rounds_of_the_seed_are_the_same_too():
    X, y, *_ = stream("square", 60)
    runs = [kernelpick.trace("rf-oks++", X, y, loss="square", random_state=5, every_round=e) for e in (False, True)]
    assert all(np.array_equal(getattr(runs[0], field), getattr(runs[1], field)) for field in FIELDS)
    with pytest.raises(ValueError, match="auto starts anew while it runs: leave every_round out"):
        kernelpick.trace("auto", X, y, loss="square", every_round=True)
    with pytest.raises(ValueError, match="auto draws frequencies of its own: leave frequencies out"):
        kernelpick.trace("auto", X, y, loss="square", frequencies=np.ones((8, X.shape[1])))


def test_several_seeds():
    X, y, *_ = stream("square", 120)
    several = kernelpick.traces("rf-oks++", X, y, loss="square", seeds=[3, 8, 5], n_features=20)
    singles = [kernelpick.trace("rf-oks++", X, y, loss="square", random_state=s, n_features=20) for s in (3, 8, 5)]
    means = [run.losses.mean() for run in singles]
    assert len(set(means)) == 3
    assert np.array_equal(several.losses, [run.losses for run in singles])
    assert several.mean_losses.tolist() == pytest.approx(means)
    assert several.mean == pytest.approx(np.mean(means))
    assert several.spread == pytest.approx(np.std(means, ddof=1))
    assert several.standard_error == pytest.approx(np.std(means, ddof=1) / np.sqrt(3))
    assert "3 runs of 120 rounds" in repr(several)
    assert len(kernelpick.traces("rf-oks++", X, y, loss="square", seeds=2, n_features=20).runs) == 2
    assert np.isnan(kernelpick.traces("rf-oks++", X, y, loss="square", seeds=1, n_features=20).spread)
    assert len(kernelpick.traces("rf-oks++", X, y, loss="square", seeds=np.int64(2), n_features=20).runs) == 2
    for wrong in (0, [], 2.5, None):
        with pytest.raises(ValueError, match="seeds"):
            kernelpick.traces("rf-oks++", X, y, loss="square", seeds=wrong)


def warned(algorithm, X, y, **options):
    """The warnings of a run."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        run = kernelpick.trace(algorithm, X, y, **options)
    return run, [str(warning.message) for warning in found]


def test_losses_that_explode_are_told():
    """On rows that are all alike, a step of more than 2 overshoots ever further."""
    X, y = np.full((60, 2), 0.3), np.full(60, 0.5)
    run, said = warned("rf-oks", X, y, loss="square", widths=[1.0], n_features=8, step_scale=100.0)
    assert np.isfinite(run.losses).all() and run.losses.max() > 1e6
    assert len(said) == 1 and "explodes: the loss is" in said[0] and said[0].startswith("rf-oks ")
    calm, said = warned("rf-oks", X, y, loss="square", widths=[1.0], n_features=8, step_scale=1.0)
    assert calm.losses.max() < 1 and said == []
    _, said = warned("rf-oks", X, np.full(60, 1e150), loss="square", widths=[1.0], n_features=8, step_scale=100.0)
    assert "the loss overflowed" in said[0] and "a smaller step_scale or smaller targets prevent it" in said[0]
    _, said = warned("rf-oks", X, np.full(60, 1e200), loss="square", widths=[1.0], n_features=8)
    assert "overflowed in round 0; smaller targets prevent it." in said[0]  # whatever is predicted


@pytest.mark.parametrize("algorithm", [*ALGORITHMS, *COMPOSED, "auto"])
def test_a_sane_run_is_quiet(algorithm):
    loss = loss_for(algorithm, "square")
    X, y, *_ = stream(loss, 200)
    run, said = warned(algorithm, X, y, loss=loss, n_features=20, step_scale=1.0)
    assert run.losses.max() < 10 and said == []


@pytest.mark.skipif(fetch.find(REGISTRY["elevators"]) is None, reason="the data are not there")
def test_the_default_step_explodes_on_elevators_and_says_so():
    """The first 1,000 rows, columns and target standardised: losses above 1e3 in 18 of 20 seeds, which nothing told."""
    data = dataset("elevators", download=False)
    X, y = data.X[:1000], data.y[:1000]
    X, y = (X - X.mean(0)) / np.where(X.std(0) > 0, X.std(0), 1.0), (y - y.mean()) / y.std()
    runs = [warned("rf-oks", X, y, loss="square", random_state=seed) for seed in range(20)]
    high = [run.losses.max() > 1e3 for run, _ in runs]
    told = [len(said) == 1 and "explodes" in said[0] for _, said in runs]
    assert sum(high) >= 18 and all(t for t, h in zip(told, high, strict=True) if h)
