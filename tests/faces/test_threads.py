"""One thread learns while others ask: no crash, no half-updated answer, and the bits of a model that learned alone."""

import sys
import threading
import time

import numpy as np
import pytest
from streams_with_births import Stream

import kernelpick
from kernelpick import KernelClassifier, KernelRegressor
from kernelpick.online.guard import Guard

pytest.importorskip("river")
from kernelpick import river


@pytest.fixture(autouse=True)
def switching_often():
    """Threads take turns a thousand times as often as usual."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(5e-6)
    yield
    sys.setswitchinterval(before)


def read_while(learn, *readers):
    """Run the readers, over and over, as long as learn runs in this thread; what they raised."""
    done, errors = threading.Event(), []

    def loop(read):
        while not done.is_set():
            try:
                read()
            except BaseException as error:
                errors.append(error)
                return

    threads = [threading.Thread(target=loop, args=(read,)) for read in readers]
    for thread in threads:
        thread.start()
    try:
        learn()
    finally:
        done.set()
        for thread in threads:
            thread.join()
    return errors


@pytest.mark.parametrize("algorithm", ["auto", "rf-oks++", "oks"])
def test_columns_and_classes_come_while_others_predict(algorithm, tmp_path):
    stream = Stream(columns_every=25, classes_every=60)
    shared, alone = (river.KernelClassifier(algorithm, n_features=8, seed=0) for _ in range(2))
    shared.learn_one(*stream.row(0))

    def learn():
        for t in range(1, 400):
            shared.learn_one(*stream.row(t))
            if t % 97 == 0:
                kernelpick.load(save(shared, tmp_path / "model")).predict_one(stream.row(t)[0])

    def probabilities():
        x = stream.row(int(time.perf_counter_ns() % 400))[0]
        assert sum(shared.predict_proba_one(x).values()) == pytest.approx(1)

    errors = read_while(learn, lambda: shared.predict_one(stream.row(7)[0]), probabilities, shared.to_bytes)
    assert not errors
    for t in range(400):
        alone.learn_one(*stream.row(t))
    assert shared.to_bytes() == alone.to_bytes()


def save(model, path):
    model.save(path)
    return path


def test_a_batch_lets_readers_in_between_its_pieces():
    """They wait for one piece, not for all of them: the number of rounds is seen to grow while one call learns."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40_000, 5))
    y = X[:, 0]
    model, seen = KernelRegressor(n_features=64, random_state=0).partial_fit(X[:600], y[:600]), set()
    errors = read_while(lambda: model.partial_fit(X, y), lambda: (model.predict(X[:1]), seen.add(model.n_rounds_)))
    assert not errors and len(seen) > 5
    alone = KernelRegressor(n_features=64, random_state=0).partial_fit(X[:600], y[:600]).partial_fit(X, y)
    assert alone.to_bytes() == model.to_bytes()


def test_two_that_learn_exclude_each_other():
    """Each call is whole: with two classes and new ones accepted, targets would be of the wrong shape otherwise."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 3))
    model = KernelClassifier("rf-oks++", n_features=8, new_classes="accept", random_state=0)
    model.partial_fit(X[:50], np.arange(50) % 2)
    count, errors = iter(range(2, 40)), []

    def learn():
        try:
            for _ in range(15):
                label = next(count)
                model.partial_fit(X, np.where(X[:, 0] > 0, label % 2, label))
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=learn) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors and model.n_rounds_ == 50 + 30 * 3000 and len(model.classes_) == 32


def test_the_first_row_of_all_is_learned_once_at_a_time():
    X, y = np.random.default_rng(0).normal(size=(64, 3)), np.arange(64.0)
    for _ in range(20):
        model = KernelRegressor("rf-oks++", n_features=8, random_state=0)
        threads = [threading.Thread(target=lambda m=model: m.partial_fit(X, y)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert model.n_rounds_ == 4 * 64


def test_those_who_wait_come_first():
    """A thread that takes the guard again and again does not starve another."""
    guard, turns, done = Guard(), [], threading.Event()

    def greedy():
        while not done.is_set():
            with guard:
                turns.append("greedy")
                time.sleep(1e-3)

    thread = threading.Thread(target=greedy)
    thread.start()
    for _ in range(20):
        with guard, guard:  # the same thread may enter again
            turns.append("other")
    done.set()
    thread.join()
    assert turns.count("greedy") < 60  # one turn between two of the other's, and a few at both ends


def test_a_copy_has_a_guard_of_its_own():
    import copy
    import pickle

    model = KernelRegressor("rf-oks++", n_features=8).partial_fit(np.eye(3), [1.0, 2.0, 3.0])
    for other in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        with model._guard:
            thread = threading.Thread(target=other.predict, args=(np.eye(3),))
            thread.start()
            thread.join(10)
            assert not thread.is_alive()


def test_compiled_code_is_not_reached_with_rows_of_another_width():
    model = KernelRegressor("rf-oks++", n_features=8).partial_fit(np.eye(40, 3), np.arange(40.0))._model
    for wrong in (np.zeros((1, 2)), np.zeros((1, 4))):
        with pytest.raises(ValueError, match="columns where the model has 3"):
            model.decide(wrong)
        with pytest.raises(ValueError, match="columns where the model has 3"):
            model.learn(wrong, np.zeros((1, 1)))
