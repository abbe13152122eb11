"""model.blank(): the same columns, scales and kernels, and nothing learned."""

import numpy as np
from shards_begun import ALONE, X, Y, begun

import kernelpick
from kernelpick import KernelRegressor


def test_a_blank_has_learned_nothing_and_waits_for_no_fit():
    model = begun()
    blank = model.blank()
    assert blank.n_rounds_ == 0 and blank.kernels_ == model.kernels_ and np.isnan(blank.loss_)
    assert np.array_equal(blank._model.state.space.frequencies, model._model.state.space.frequencies)
    blank.partial_fit(X[:8], Y[:8])
    assert blank.kernels_ == model.kernels_ and blank.n_rounds_ == 8
    early = KernelRegressor(random_state=0).partial_fit(X[:100], Y[:100])
    assert early.blank().kernels_ and early.n_rounds_ == 100
    assert kernelpick.from_bytes(blank.to_bytes()).to_bytes() == blank.to_bytes()


def test_a_blank_has_nobody_beside_its_kernels_who_has_learned_anything():
    """And whoever learns from its first row on does so however the rows are cut."""
    model = begun()
    blank = model.blank()
    assert model.companions_ != {"kernels": 1.0, "trees": 0.0} and model._model.companions.rows[0] == 600
    assert blank.companions_ == {"kernels": 1.0, "trees": 0.0} and blank._model.companions.rows[0] == 0
    assert blank._model.memories.state.rounds == 0 and blank.memories_[1.0] == 1.0
    in_pieces = model.blank()
    for piece in np.split(np.arange(1000), [1, 7, 300, 520]):
        in_pieces.partial_fit(X[piece], Y[piece])
    assert in_pieces.to_bytes() == blank.partial_fit(X[:1000], Y[:1000]).to_bytes()


def test_missing_values_read_as_the_mean_from_the_first_row_of_a_shard_on():
    gaps = X + 100.0
    gaps[::7, 2] = np.nan
    start = KernelRegressor(random_state=0, n_features=24, missing="mean", **ALONE).partial_fit(gaps[:600], Y[:600])
    parts = [start.blank().partial_fit(gaps[i::2], Y[i::2]) for i in range(2)]
    whole = kernelpick.merge(parts)
    single = start.blank().partial_fit(gaps, Y)
    assert whole.score(gaps, Y) > single.score(gaps, Y) - 0.005
    fresh = start.blank()._model
    assert (
        abs(fresh._scaled(np.full((1, fresh.spec.n_inputs), np.nan))).max() < 1.0
    )  # a zero is a hundred deviations off
