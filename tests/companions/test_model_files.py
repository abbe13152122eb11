"""Companions in model files: forged ones, those of earlier versions, and files without."""

import numpy as np
import pytest
from companions.stepwise import steps, trees_of

import kernelpick
from kernelpick import KernelRegressor
from kernelpick.core.companions.growing import AGAIN, BASE, COUNT, TREES
from kernelpick.files import container
from kernelpick.files.container import ModelFileError

FORGED = {
    "a circle": lambda a: a["companions.trees.nodes"].__setitem__((3, 4, 2), 4),
    "a node beyond": lambda a: a["companions.trees.nodes"].__setitem__((3, 4, 3), 31),
    "a leaf beyond": lambda a: a["companions.trees.nodes"].__setitem__((3, 4, 3), -33),
    "a column beyond": lambda a: a["companions.trees.nodes"].__setitem__((3, 4, 0), 4),
    "a bin beyond": lambda a: a["companions.trees.bins"].__setitem__((0, 0), 64),
    "more trees than there is room for": lambda a: a["companions.trees.clock"].__setitem__(TREES, 513),
    "rows that did not come": lambda a: a["companions.trees.clock"].__setitem__(COUNT, 10**6),
    "more trees of shards than there are": lambda a: a["companions.trees.clock"].__setitem__(BASE, 500),
    "more rows learned again than there were": lambda a: a["companions.trees.clock"].__setitem__(AGAIN, 701),
    "a tree for an output beyond": lambda a: a["companions.trees.clock"].__setitem__(10, 1),
    "scores that are none": lambda a: a["companions.trees.scores"].__setitem__((0, 0), np.nan),
    "weights that are none": lambda a: a["companions.weights"].__setitem__((0, 0), np.inf),
    "another shape": lambda a: a.update({"companions.weights": np.ones((1, 3))}),
    "another type": lambda a: a.update({"companions.trees.nodes": np.zeros((513, 31, 4))}),
    "one column more": lambda a: a.update({"companions.trees.bins": np.zeros((5, 16384), np.uint8)}),
    "nothing": lambda a: a.pop("companions.trees.edges"),
}


@pytest.fixture(scope="module")
def saved():
    X, y = steps(900)
    return container.unseal(KernelRegressor(random_state=0).partial_fit(X[:700], y[:700]).to_bytes())


@pytest.mark.parametrize("what", FORGED)
def test_forged_companions_are_refused(saved, what):
    header, arrays = saved
    arrays = {name: array.copy() for name, array in arrays.items()}
    FORGED[what](arrays)
    with pytest.raises(ModelFileError):
        kernelpick.from_bytes(container.seal({k: v for k, v in header.items() if k != "arrays"}, arrays))


def test_files_whose_trees_have_kept_less_rows_go_on_as_they_would_have():
    """Rings of 4,224 rows, and clocks that know nothing of merges."""
    X, y = steps(6000)
    model = KernelRegressor(random_state=0).partial_fit(X[:5000], y[:5000])
    header, arrays = container.unseal(model.to_bytes())
    count = int(arrays["companions.trees.clock"][COUNT])
    numbers = np.arange(count - 4224, count)
    for name in ("bins", "targets", "scores", "weights"):
        today = arrays[f"companions.trees.{name}"]
        old = np.zeros((*today.shape[:-1], 4224), today.dtype)
        old[..., numbers % 4224] = today[..., numbers % today.shape[-1]]
        arrays[f"companions.trees.{name}"] = old
    arrays["companions.trees.clock"] = arrays["companions.trees.clock"][:12]
    header = {k: v for k, v in header.items() if k != "arrays"}
    again = kernelpick.from_bytes(container.seal(header, arrays))
    assert (trees_of(again).weights > 0).sum() == 4224
    assert np.array_equal(again.progressive_fit(X[5000:], y[5000:]), model.progressive_fit(X[5000:], y[5000:]))
    arrays["companions.trees.weights"] = np.ones(4000)
    with pytest.raises(ModelFileError):
        kernelpick.from_bytes(container.seal(header, arrays))


def test_a_file_without_companions_goes_on_without(saved):
    header, arrays = saved
    header = {k: v for k, v in header.items() if k != "arrays"}
    header["model"] = header["model"] | {
        "plan": {k: v for k, v in header["model"]["plan"].items() if k != "companions"}
    }
    older = {name: array for name, array in arrays.items() if not name.startswith("companions.")}
    model = kernelpick.from_bytes(container.seal(header, older))
    X, y = steps(900)
    alone = KernelRegressor(random_state=0, companions=()).partial_fit(X[:700], y[:700])
    assert model.companions_ == {"kernels": 1.0}
    assert np.array_equal(model.progressive_fit(X[700:], y[700:]), alone.progressive_fit(X[700:], y[700:]))
