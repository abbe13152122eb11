"""Models whose columns have become more since the first row: what fits make of that, and files."""

import pytest
from river_streams import dicts, moved, played, river_model
from spread_fits import rows_for

import kernelpick
from kernelpick.files import packing
from kernelpick.online.metric import WHOLE_UP_TO


@pytest.mark.parametrize(("more", "left"), [(40, 36), pytest.param(2, -2, marks=pytest.mark.long)])
def test_fits_leave_room_for_columns_that_have_come(more, left):
    """Matrices stay of the order that a budget has time for."""
    X, Y = rows_for(2000, d=12)
    rows, targets = dicts(X, [(k, 10 * k) for k in range(4, 12)]), Y[:, 0].tolist()
    usual = river_model(rows)._model.spec.row.features_for(12)
    assert len(rows[0]) == 4
    heard, model = played(river_model(rows, features=usual + more), rows, targets)
    assert model._model.first is None and model._model.spec.n_features == usual + left
    assert played(river_model(rows, features=usual + more), rows, targets, moved)[0] == heard


@pytest.mark.parametrize("classifies", [False, True])
def test_files_of_models_that_have_grown_beyond_a_whole_metric(classifies):
    """How long a fit takes follows from the inputs of the first row, which a file has to tell."""
    before, after, when = WHOLE_UP_TO - 4, WHOLE_UP_TO + 4, 100
    X, Y = rows_for(1600, d=after, classifies=classifies)
    rows = dicts(X, [(k, when) for k in range(before, after)])
    targets = [bool(y > 0) for y in Y[:, 0]] if classifies else Y[:, 0].tolist()
    heard, _ = played(river_model(rows, classifies), rows, targets)

    def saved(t, model):
        if t not in (200, 450, 800, 1500):
            return model
        about, arrays = packing.pack(model._model)
        old = {name: value for name, value in about.items() if name != "planned_inputs"}
        if model._model.job is not None:  # of earlier versions, which did not tell
            assert packing.unpack(type(model._model), old, arrays).job.due == model._model.job.due
        return kernelpick.from_bytes(model.to_bytes())

    assert played(river_model(rows, classifies), rows, targets, saved)[0] == heard
