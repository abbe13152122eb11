"""scikit-learn's own checks, for the paper's algorithms, "auto", and one of each kind of learner."""

import ast
from pathlib import Path

import pytest
from sklearn.utils.estimator_checks import check_estimator

import kernelpick
from kernelpick import KernelClassifier, KernelRegressor
from kernelpick.core.algorithms import PAPER

# What scikit-learn itself lists for SGDClassifier and SGDRegressor: online, a weight of two is not the row twice.
EXPECTED = {
    "check_sample_weight_equivalence_on_dense_data": "online: the order of rows counts",
    "check_sample_weight_equivalence_on_sparse_data": "online: the order of rows counts",
}


# What is checked is what a face does with what it is given: with the default, and with one of the others; and then all.
FACES = KernelRegressor, KernelClassifier
OTHERS = [*PAPER, "leader", "leader-adagrad", "rf-oks++-newton"]
CASES = [(face, "auto") for face in FACES] + [
    pytest.param(face, algorithm, marks=[pytest.mark.long] * (algorithm != "rf-oks++"))
    for algorithm in OTHERS
    for face in FACES
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("estimator", "algorithm"), CASES)
def test_passes_check_estimator(estimator, algorithm):
    n_features = None if algorithm == "auto" else 20  # the checks ask for rounds by the million, and not for features
    results = check_estimator(
        estimator(algorithm, n_features=n_features), expected_failed_checks=EXPECTED, on_fail=None, on_skip=None
    )
    failed = {result["check_name"]: result["exception"] for result in results if result["status"] == "failed"}
    assert not failed
    assert not estimator(algorithm).__sklearn_tags__().regressor_tags or not (
        estimator(algorithm).__sklearn_tags__().regressor_tags.poor_score
    )


def test_only_public_names_of_other_libraries_are_imported():
    """Private ones may be gone with the next release."""
    found = []
    for path in Path(kernelpick.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in ("sklearn", "river"):
                found += [f"{path.name}: {name.name}" for name in node.names if name.name.startswith("_")]
    assert not found
