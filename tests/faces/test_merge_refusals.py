"""What kernelpick.merge refuses, in a sentence that names the first difference."""

import pytest
from shards_begun import LABELS, X, Y, begun, shards

import kernelpick
from kernelpick import KernelClassifier, KernelRegressor


@pytest.fixture(scope="module")
def parts():
    return shards(begun())


def other_scales():
    return KernelRegressor(random_state=0, n_features=24).partial_fit(X[:600] * 2, Y[:600]).blank()


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: begun(n_features=16).blank(), r"n_features = 16 where models\[0\] has 24"),
        (lambda: begun(random_state=1).blank(), "random_state = 1"),
        (lambda: begun(scale_target="linear").blank(), "target_way = 'linear'"),
        (lambda: begun(forgetting=1.0).blank(), "memories = False"),
        (lambda: begun(companions=()).blank(), r"companions = \(\)"),
        (lambda: begun(KernelClassifier, LABELS), "is a .*KernelClassifier"),
        (other_scales, "column 0 has other scales"),
        (lambda: KernelRegressor(), "has seen no row"),
        (lambda: KernelRegressor(random_state=0).partial_fit(X[:100], Y[:100]), "keeps its first rows"),
        (lambda: begun(loss="huber").blank(), "loss = 'huber'"),
    ],
)
def test_models_that_do_not_fit_together_are_refused(parts, make, sentence):
    other = make()
    if isinstance(other, KernelRegressor) and other._model is not None and other._model.first is None:
        other.partial_fit(X[:50], Y[:50])
    with pytest.raises(ValueError, match=sentence):
        kernelpick.merge([parts[0], other])


def test_what_is_no_model_is_refused(parts):
    with pytest.raises(ValueError, match="at least one model"):
        kernelpick.merge([])
    with pytest.raises(TypeError, match=r"models\[1\] is no estimator"):
        kernelpick.merge([parts[0], "model.kpick"])
    with pytest.raises(ValueError, match="no kernels yet"):
        KernelRegressor().partial_fit(X[:1], Y[:1], sample_weight=[0.0]).blank()


def test_other_classes_are_refused():
    start = begun(KernelClassifier, LABELS, new_classes="accept")
    one, other = shards(start, LABELS, 2)
    other.partial_fit(X[:1], ["never"])
    with pytest.raises(ValueError, match="different classes, as 'never'"):
        kernelpick.merge([one, other])
