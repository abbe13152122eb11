"""Files of models with columns that were altered: refused, or of no harm."""

import copy
import json
from contextlib import suppress
from functools import cache

import numpy as np
import pytest

pytest.importorskip("river")
pandas = pytest.importorskip("pandas")

from mixed_table import mixed  # noqa: E402

from kernelpick import KernelRegressor, ModelFileError  # noqa: E402
from kernelpick.files.container import from_bytes, seal, unseal  # noqa: E402
from kernelpick.river import KernelRegressor as RiverRegressor  # noqa: E402

FRAME, Y = mixed(60)


@cache
def parts(face):
    if face == "river":
        model = RiverRegressor(n_features=4, seed=0)
        model.learn_many(FRAME, pandas.Series(Y))
    else:
        model = KernelRegressor(n_features=4, random_state=0).partial_fit(FRAME, Y)
    return unseal(model.to_bytes())


def forged(face, change):
    header, arrays = parts(face)
    header = copy.deepcopy({key: value for key, value in header.items() if key != "arrays"})
    fitted = dict(map(tuple, header["fitted"]["value"]))
    change(fitted)
    header["fitted"]["value"] = [list(pair) for pair in fitted.items()]
    return from_bytes(seal(header, arrays))


def of(fitted, key):
    """What is told of the columns."""
    return next(pair for pair in fitted["columns"]["value"] if pair[0] == key)


def column(fitted, name):
    """[name, since, absences, first time, texts, those seen, ignored]"""
    return next(one for one in of(fitted, "columns")[1] if one[0] == name)


CHANGES = {
    "a policy": lambda fitted: of(fitted, "missing").__setitem__(1, "median"),
    "rows": lambda fitted: of(fitted, "rows").__setitem__(1, -1),
    "more absences than rows": lambda fitted: column(fitted, "a").__setitem__(2, 61),
    "rows before the first": lambda fitted: column(fitted, "a").__setitem__(1, 10**9),
    "a column twice": lambda fitted: of(fitted, "columns")[1].append(column(fitted, "a")),
    "a column less": lambda fitted: of(fitted, "columns")[1].remove(column(fitted, "a")),
    "no first time": lambda fitted: column(fitted, "time").__setitem__(3, None),
    "a time beyond all": lambda fitted: column(fitted, "time").__setitem__(3, 2**80),
    "a first time of numbers": lambda fitted: column(fitted, "a").__setitem__(3, 5),
    "too many texts": lambda fitted: column(fitted, "city").__setitem__(4, 513),
    "texts that were not seen": lambda fitted: column(fitted, "city").__setitem__(5, []),
    "more seen than texts": lambda fitted: column(fitted, "city").__setitem__(5, list(range(500))),
    "ignored too early": lambda fitted: column(fitted, "id").__setitem__(6, True),
    "numbers of a column that is none": lambda fitted: fitted["names"].append("none"),
    "an input twice": lambda fitted: fitted["names"].append(fitted["names"][0]),
    "an unknown part": lambda fitted: rename(fitted, "part", "soul"),
    "an input of nobody": lambda fitted: rename(fitted, "column", "nobody"),
    "a word that is a number": lambda fitted: rename(fitted, "value", 7),
    "a slot beyond all": lambda fitted: rename(fitted, "slot", 64),
}


def rename(fitted, what, to):
    made = next(one["value"] for one in fitted["names"] if isinstance(one, dict) and one["value"][1] == "=")
    if what == "slot":
        made[1:] = ["hash", to]
    else:
        made[["column", "part", "value"].index(what)] = to


@pytest.mark.parametrize("face", ["sklearn", "river"])
@pytest.mark.parametrize("change", CHANGES)
def test_columns_that_do_not_fit_are_refused(face, change):
    assert forged(face, lambda fitted: None).n_rounds_ == 60
    with pytest.raises(ModelFileError):
        use(forged(face, CHANGES[change]))


def use(model):
    if isinstance(model, KernelRegressor):
        assert model.predict(FRAME).shape == model.progressive_fit(FRAME, Y).shape
    else:
        model.learn_many(FRAME, pandas.Series(Y))
        assert len(model.predict_many(FRAME)) == 60


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("face", ["sklearn", "river"])
def test_any_altered_header_is_refused_or_of_no_harm(face):
    header, arrays = parts(face)
    text = json.dumps({key: value for key, value in header.items() if key != "arrays"})
    start, rng, refused = text.index('"fitted"'), np.random.default_rng(0), 0
    for _ in range(400):
        at = int(rng.integers(start, text.index('"model"', start)))
        bad = text[:at] + str(rng.choice(list('0123456789-"[]{}e.,a'))) + text[at + 1 :]
        try:
            content = seal(json.loads(bad), arrays)
        except ValueError:  # it is no JSON, or the number is infinite
            continue
        try:
            model = from_bytes(content)
        except ModelFileError:
            refused += 1
        else:
            with suppress(ValueError):  # the frame has other columns than the model
                use(model)
    assert 30 < refused < 350


def test_a_file_from_before_there_were_columns_reads_what_is_absent_as_zero():
    rows = [{"a": float(t), "b": 300.0 + t % 5} for t in range(60)]
    model = RiverRegressor("rf-oks++", n_features=4, seed=0)
    for row in rows:
        model.learn_one(row, row["b"])
    header, arrays = model._pack()
    header = copy.deepcopy(header)
    header["params"]["value"] = [pair for pair in header["params"]["value"] if pair[0] != "missing"]
    header["fitted"]["value"] = [pair for pair in header["fitted"]["value"] if pair[0] != "columns"]
    loaded = from_bytes(seal({"face": "river.KernelRegressor", **header}, arrays))
    assert loaded.missing is None and loaded.inputs_ == model.inputs_
    assert loaded.predict_one({"a": 1.0}) == loaded.predict_one({"a": 1.0, "b": 0.0})
    assert [loaded.predict_one(row) for row in rows] == [model.predict_one(row) for row in rows]
