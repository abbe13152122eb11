"""kernelpick.dask.fit: partitions are learned apart and merged in a tree that follows from their numbers alone."""

import os
import signal
import threading
import time

import numpy as np
import pytest

import kernelpick
from kernelpick import KernelClassifier, KernelRegressor

dask = pytest.importorskip("dask", reason="the extra kernelpick[cluster] is not installed")
import dask.array  # noqa: E402, F811
import dask.bag  # noqa: E402

import kernelpick.dask  # noqa: E402

RNG = np.random.default_rng(2)
X = RNG.normal(size=(4000, 4))
Y = np.sin(2 * X[:, 0]) + X[:, 1] + 0.1 * RNG.normal(size=4000)
OPTIONS = {"n_features": 24, "random_state": 0}


def arrays(rows, y=Y, chunk=500):
    return dask.array.from_array(X[:rows], chunks=(chunk, 4)), dask.array.from_array(y[:rows], chunks=chunk)


def by_hand(count, split_every):
    """The same without Dask: a blank for each partition, and neighbours merged in groups."""
    places = np.unique(np.linspace(0, 499, 1024).astype(int))
    start = KernelRegressor(**OPTIONS).partial_fit(X[places], Y[places]).blank()
    models = [start.blank().partial_fit(X[i * 500 : i * 500 + 500], Y[i * 500 : i * 500 + 500]) for i in range(count)]
    while len(models) > 1:
        models = [kernelpick.merge(models[i : i + split_every]) for i in range(0, len(models), split_every)]
    return models[0]


@pytest.mark.parametrize("split_every", [2, 4])
def test_it_is_a_tree_of_merged_blanks(split_every):
    with dask.config.set(scheduler="synchronous"):
        model = kernelpick.dask.fit(KernelRegressor(**OPTIONS), *arrays(2500), split_every=split_every)
    other = by_hand(5, split_every)
    assert model.n_rounds_ == 2500 and np.allclose(model.predict(X), other.predict(X), rtol=0, atol=1e-12)
    assert np.isclose(model.loss_, other.loss_) and model.loss_ > np.mean((model.predict(X) - Y) ** 2)
    assert model.score(X[2500:], Y[2500:]) > 0.9


def test_bags_and_classes():
    labels = np.where(X[:, 0] + X[:, 1] > 0, "up", np.where(X[:, 2] > 1.5, "rare", "down"))
    rows = [{**dict(zip("abcd", row, strict=True)), "way": way} for row, way in zip(X.tolist(), labels, strict=True)]
    bag = dask.bag.from_sequence(rows[:2000], npartitions=4)
    with dask.config.set(scheduler="synchronous"):
        model = kernelpick.dask.fit(KernelClassifier(**OPTIONS), bag, target="way")
    assert list(model.classes_) == ["down", "rare", "up"] and model.n_rounds_ == 2000
    pandas = pytest.importorskip("pandas")
    assert model.score(pandas.DataFrame(X[2000:], columns=list("abcd")), labels[2000:]) > 0.85


def test_data_frames_whose_words_come_in_any_order():
    frame = pytest.importorskip("dask.dataframe", exc_type=ImportError)
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(X[:2000], columns=list("abcd")).assign(
        place=np.where(np.arange(2000) == 1900, "nowhere", np.where(X[:2000, 3] > 0, "here", "there")), y=Y[:2000]
    )
    with dask.config.set(scheduler="synchronous"):
        model = kernelpick.dask.fit(KernelRegressor(**OPTIONS), frame.from_pandas(table, npartitions=4), target="y")
    assert model.n_rounds_ == 2000 and model.score(table.drop(columns="y"), table["y"]) > 0.85


@pytest.mark.parametrize(
    ("use", "error", "sentence"),
    [
        (lambda: kernelpick.dask.fit(KernelRegressor(), X, Y), TypeError, "Dask array, data frame or bag"),
        (lambda: kernelpick.dask.fit("model", *arrays(1000)), TypeError, "takes KernelRegressor"),
        (lambda: kernelpick.dask.fit(KernelRegressor(), arrays(1000)[0]), ValueError, "y is a Dask array"),
        (
            lambda: kernelpick.dask.fit(KernelRegressor(), arrays(1000)[0].rechunk((500, 2)), Y),
            ValueError,
            "y is a Dask",
        ),
        (
            lambda: kernelpick.dask.fit(KernelRegressor(), arrays(1000)[0].rechunk((500, 2)), arrays(1000)[1]),
            ValueError,
            "one chunk",
        ),
        (
            lambda: kernelpick.dask.fit(KernelRegressor(), arrays(1000)[0], arrays(1000, chunk=250)[1]),
            ValueError,
            "rechunk one of them",
        ),
        (lambda: kernelpick.dask.fit(KernelRegressor(), dask.bag.from_sequence([{}])), ValueError, "Which column"),
    ],
)
def test_what_does_not_fit_is_refused(use, error, sentence):
    with pytest.raises(error, match=sentence):
        use()


def test_what_moves_is_a_model_whatever_the_rows():
    """The task of a partition takes a start, which is small, and gives a model, as large for ten times the rows."""
    from kernelpick.dask.fitting import _learned, _started, packed

    start = _started(packed(KernelRegressor(**OPTIONS)), X, Y, None, None)
    sizes = [len(_learned(start, X[:rows], Y[:rows], None)[0]) for rows in (400, 4000)]
    assert max(sizes) < 1.02 * min(sizes) and len(start) < 0.1 * sizes[0]


def test_a_model_that_has_learned_gives_scales_and_kernels():
    model = KernelRegressor(**OPTIONS).partial_fit(X[:700], Y[:700])
    with dask.config.set(scheduler="synchronous"):
        whole = kernelpick.dask.fit(model, *arrays(1000))
    other = kernelpick.merge([model.blank().partial_fit(X[i : i + 500], Y[i : i + 500]) for i in (0, 500)])
    assert whole.kernels_ == model.kernels_ and np.allclose(whole.predict(X), other.predict(X), rtol=0, atol=1e-12)


@pytest.mark.programs
def test_a_worker_that_is_killed_changes_no_bit():
    """Two processes; one is killed with SIGKILL while it has partitions in hand."""
    distributed = pytest.importorskip("distributed", reason="the extra kernelpick[cluster] is not installed")
    X, y = arrays(4000, chunk=250)
    with dask.config.set(scheduler="synchronous"):
        undisturbed = kernelpick.dask.fit(KernelRegressor(**OPTIONS), X, y, split_every=4).to_bytes()
    killed = []
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None, silence_logs=50
        ) as cluster,
        distributed.Client(cluster),
    ):

        def kill():
            while not killed:
                workers = list(cluster.scheduler.workers.items())
                learned = sum(len(worker.has_what) for _, worker in workers)
                for address, worker in workers:
                    if learned >= 4 and worker.processing and worker.has_what:  # what it has is lost, too
                        victim = next(w for w in cluster.workers.values() if w.worker_address == address)
                        os.kill(victim.process.pid, signal.SIGKILL)
                        killed.append(len(worker.processing))
                        return
                time.sleep(0.002)

        thread = threading.Thread(target=kill, daemon=True)
        thread.start()
        disturbed = kernelpick.dask.fit(KernelRegressor(**OPTIONS), X, y, split_every=4).to_bytes()
        thread.join(timeout=10)
    assert killed and disturbed == undisturbed
