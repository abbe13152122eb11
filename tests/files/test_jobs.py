"""Files in the middle of a fit: what is wrong in them is refused, and those of other versions load."""

from contextlib import nullcontext

import numpy as np
import pytest
from spread_fits import plan_for, rows_for

from kernelpick.files.packing import pack, unpack
from kernelpick.online.job import RANGE
from kernelpick.online.model import Model


@pytest.mark.parametrize("wrong", [-1, 2**40, 1.5, True])
def test_forged_numbers_of_features_are_refused(wrong):
    model = Model(plan_for(features=24))
    about, arrays = pack(model)
    with pytest.raises(ValueError, match="no count"):
        unpack(Model, about | {"plan": about["plan"] | {"features": wrong}}, arrays)


def test_forged_jobs_are_refused():
    X, Y = rows_for(700)
    model = Model(plan_for())
    model.learn(X, Y)
    about, arrays = pack(model)
    arrays = {name: np.array(array) for name, array in arrays.items()}
    for wrong in (
        {"due": 10**6}, {"due": 5}, {"base": 699_999}, {"leader": 99}, {"leader": True}, {"why": "range"}, {"why": 3},
        {"base": -1},
    ):  # fmt: skip
        with pytest.raises((ValueError, KeyError, TypeError)):
            unpack(Model, about | {"job": about["job"] | wrong}, arrays)
    with pytest.raises(ValueError, match="table"):
        unpack(Model, about, arrays | {"job.inputs.table": np.zeros((2, 2))})


@pytest.mark.parametrize("more", [-40, 40])
@pytest.mark.parametrize("why", ["first", RANGE])
def test_files_of_versions_that_had_room_for_other_numbers_of_rows_load(more, why):
    """How long a fit takes, and so how many rows are kept for it, may be another number in another version."""
    X, Y = rows_for(3600, d=3)
    if why == RANGE:
        X[2000:] = 40 * X[2000:] + 300
    model, row = Model(plan_for(d=3, companions=())), 700 if why == "first" else 0
    model.learn(X[:700], Y[:700])
    with pytest.warns(UserWarning) if why == RANGE else nullcontext():
        while why == RANGE and (model.job is None or model.job.why != RANGE):
            row = max(row, 700) + 10
            model.learn(X[row - 10 : row], Y[row - 10 : row])
    about, arrays = pack(model)
    own = {name: np.array(array) for name, array in arrays.items()}
    for name in own:
        if name.startswith("held." if why == "first" else "job.") and "table" not in name:
            room = np.zeros((len(own[name]) + more, *own[name].shape[1:]))
            room[: len(own[name])] = own[name][: len(room)]
            own[name] = room
    other = unpack(Model, about, own)
    rest = slice(row, 3600)
    assert np.array_equal(model.learn(X[rest], Y[rest]).in_units(), other.learn(X[rest], Y[rest]).in_units())
    short = own | {name: own[name][:50] for name in own if name.startswith(("held.", "job.")) and "table" not in name}
    with pytest.raises(ValueError):
        unpack(Model, about, short)
