"""One model per key: what a key learns depends neither on the others nor on what was spilled, and a crash costs nothing
that was flushed."""

import os
import signal
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

from kernelpick import KernelClassifier, KernelRegressor, KeyedModels
from kernelpick.keyed.store import Store

RNG = np.random.default_rng(1)
KEYS = RNG.integers(0, 12, 900)
X = RNG.normal(size=(900, 3))
Y = np.sin(2 * X[:, 0]) + KEYS * X[:, 1]


def template(**options):
    return KernelRegressor(size="tiny", random_state=0, **options)


def test_every_key_learns_as_if_it_were_alone(tmp_path):
    """Three models fit into the memory, and twelve keys come in turns."""
    models = KeyedModels(template(), capacity=3, path=tmp_path / "models")
    said = [models.predict_and_learn(KEYS[i : i + 50], X[i : i + 50], Y[i : i + 50]) for i in range(0, 900, 50)]
    alone = np.empty(900)
    for key in range(12):
        own, single = KEYS == key, template()
        alone[own] = single.progressive_fit(X[own], Y[own])
        assert models[key].to_bytes() == single.to_bytes()
    assert np.array_equal(np.concatenate(said), alone)
    assert len(models) == 12 and list(models) == sorted(range(12), key=str) and 5 in models and 99 not in models
    assert len(models._held) <= 3


def test_the_models_are_there_again(tmp_path):
    with KeyedModels(template(), capacity=4, path=tmp_path / "models") as models:
        models.learn(KEYS[:600], X[:600], Y[:600])
        before = [models[key].to_bytes() for key in range(12)]
    with KeyedModels(template(), capacity=4, path=tmp_path / "models") as again:
        assert [again[key].to_bytes() for key in range(12)] == before


def test_what_was_not_flushed_did_not_happen(tmp_path):
    """A second process that opens the file finds the last flush, whatever was spilled since."""
    models = KeyedModels(template(), capacity=2, path=tmp_path / "models")
    models.learn(KEYS[:300], X[:300], Y[:300]).flush(mark={"row": 300})
    expected = {key: models[key].to_bytes() for key in models}
    models.learn(KEYS[300:], X[300:], Y[300:])  # most of them are spilled, and then the process is gone
    models._store.close()
    again = KeyedModels(template(), capacity=2, path=tmp_path / "models")
    assert again.mark == {"row": 300} and {key: again[key].to_bytes() for key in again} == expected


def test_an_error_between_two_flushes_leaves_the_last_one(tmp_path):
    with pytest.raises(ZeroDivisionError), KeyedModels(template(), path=tmp_path / "models") as models:
        models.learn(KEYS[:300], X[:300], Y[:300]).flush(mark=300)
        before = models[5].to_bytes()
        models.learn(KEYS[300:], X[300:], Y[300:])
        raise ZeroDivisionError
    with KeyedModels(path=tmp_path / "models", reads_only=True) as again:
        assert again.mark == 300 and again.get(5).to_bytes() == before


def test_the_file_says_what_keys_begin_with(tmp_path):
    start = template().partial_fit(X, Y)
    with KeyedModels(template(), path=tmp_path / "models", prior=start) as models:
        models.learn(KEYS[:20], X[:20], Y[:20])
    with KeyedModels(path=tmp_path / "models") as again, KeyedModels(template(), prior=start) as other:
        assert again.learn(["new"] * 30, X[:30], Y[:30])["new"].to_bytes() == (
            other.learn(["new"] * 30, X[:30], Y[:30])["new"].to_bytes()
        )
    with KeyedModels(template(), path=tmp_path / "other") as models:
        models._store._file.execute("DELETE FROM notes")
    with pytest.raises(ValueError, match="does not say what keys begin with"):
        KeyedModels(path=tmp_path / "other")


def test_who_reads_only_sees_the_last_flush_and_changes_nothing(tmp_path):
    with KeyedModels(template(), capacity=2, path=tmp_path / "models") as models:
        models.learn(KEYS[:300], X[:300], Y[:300]).flush()
        expected = {key: models[key].to_bytes() for key in models}
        models.learn(KEYS[300:], X[300:], Y[300:])
        content = (tmp_path / "models").read_bytes()
        with KeyedModels(path=tmp_path / "models", reads_only=True) as other:
            assert {key: other.get(key).to_bytes() for key in other} == expected and other.get("none") is None
            with pytest.raises(ValueError, match="reads_only"):
                other.learn(KEYS[:5], X[:5], Y[:5])
        assert (tmp_path / "models").read_bytes() == content


def test_a_full_disk_leaves_the_last_flush(tmp_path):
    """SQLite says the same where a file may not grow."""
    models = KeyedModels(template(), capacity=2, path=tmp_path / "models")
    models.learn(KEYS[:300], X[:300], Y[:300]).flush(mark=300)
    expected = {key: models[key].to_bytes() for key in models}
    models._store._file.execute(f"PRAGMA max_page_count = {(tmp_path / 'models').stat().st_size // 4096 + 1}")
    models.learn(KEYS[300:] + 1000, X[300:], Y[300:])
    with pytest.raises(OSError, match="No space left"):
        models.flush(mark=900)
    models.close(flush=False)
    with KeyedModels(path=tmp_path / "models") as again:
        assert again.mark == 300 and {key: again.get(key).to_bytes() for key in again} == expected


def test_keys_that_are_equal_are_one_key(tmp_path):
    with KeyedModels(template(), capacity=1, path=tmp_path / "models") as models:
        for key in (7, 7.0, np.int64(7), np.float32(7), "7"):
            models.learn([key] * 10, X[:10], Y[:10])
        assert models.keys() == ["7", 7] and models[7].n_rounds_ == 40


PROGRAM = """
    import sys, numpy as np
    from kernelpick import KernelRegressor, KeyedModels
    rng = np.random.default_rng(1)
    keys, X = rng.integers(0, 12, 900), rng.normal(size=(900, 3))
    models = KeyedModels(KernelRegressor(size="tiny", random_state=0), capacity=3, path=sys.argv[1])
    for row in range(models.mark or 0, 900, 20):
        part = slice(row, row + 20)
        models.learn(keys[part], X[part], X[part, 0] * keys[part])
        models.flush(row + 20)
        print(row, flush=True)
"""


@pytest.mark.programs
def test_a_process_that_is_killed_goes_on_where_it_was(tmp_path):
    def run(path, until):
        command = [sys.executable, "-c", textwrap.dedent(PROGRAM), str(path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            for line in process.stdout:
                if int(line) >= until:
                    os.kill(process.pid, signal.SIGKILL)
                    break

    for until in (100, 400, 10_000):
        run(tmp_path / "killed", until)
    run(tmp_path / "whole", 10_000)
    killed, whole = (Store(tmp_path / name) for name in ("killed", "whole"))
    assert killed.mark == whole.mark == 900 and list(killed.keys()) == list(whole.keys())
    assert all(killed.get(key) == whole.get(key) for key in whole.keys())  # noqa: SIM118


def test_new_keys_begin_with_the_prior():
    start = KernelRegressor(size="small", random_state=0).partial_fit(X, np.sin(2 * X[:, 0]) + X[:, 1])
    with KeyedModels(KernelRegressor(size="small"), prior=start) as models:
        assert np.allclose(models.predict(["new"], X[:1]), start.blank(32.0).predict(X[:1]))
        models.learn(["new"] * 100, X[:100], -Y[:100])
        assert models["new"].n_rounds_ == 100 and "other" not in models


def test_frames_and_classes():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=list("abc")).assign(shop=np.where(KEYS < 6, "east", "west"))
    labels = np.where(X[:, 0] > 0, "up", "down")
    with KeyedModels(KernelClassifier(size="tiny", random_state=0), classes=["down", "up"]) as models:
        models.learn("shop", frame, labels)
        assert models.keys() == ["east", "west"]
        assert (models.predict("shop", frame) == labels).mean() > 0.9
        assert list(models["east"].feature_names_in_) == ["a", "b", "c"]


def test_dicts_of_river():
    river = pytest.importorskip("river") and pytest.importorskip("kernelpick.river")
    rows = [dict(zip("abc", row, strict=True)) for row in X[:200].tolist()]
    with KeyedModels(river.KernelRegressor(size="tiny", seed=0), capacity=2) as models:
        said = models.predict_and_learn(KEYS[:200], rows, Y[:200])
        single = river.KernelRegressor(size="tiny", seed=0)
        for place in np.flatnonzero(KEYS[:200] == 3):
            assert single.predict_one(rows[place]) == said[place]
            single.learn_one(rows[place], Y[place])
        assert models[3].to_bytes() == single.to_bytes()


def test_threads_may_share_it():
    with KeyedModels(template(), capacity=2) as models:
        parts = [slice(i, i + 100) for i in range(0, 900, 100)]
        threads = [threading.Thread(target=models.learn, args=([i] * 100, X[p], Y[p])) for i, p in enumerate(parts)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [models[i].to_bytes() for i in range(9)] == [
            template().partial_fit(X[p], Y[p]).to_bytes() for p in parts
        ]


@pytest.mark.parametrize(
    ("use", "sentence"),
    [
        (lambda: KeyedModels(template(), capacity=0), "capacity"),
        (lambda: KeyedModels(template().partial_fit(X, Y)), "which has seen rows"),
        (lambda: KeyedModels(template(), prior=template()), "has learned something"),
        (lambda: KeyedModels(), "Give a model"),
        (lambda: KeyedModels(template()).learn([1, 2], X[:3], Y[:3]), "2 keys and 3 rows"),
        (lambda: KeyedModels(template())[object()], "A key is"),
    ],
)
def test_what_is_wrong_is_refused(use, sentence):
    with pytest.raises(ValueError, match=sentence):
        use()


def test_a_key_without_a_model_and_a_file_that_is_none_are_refused(tmp_path):
    with pytest.raises(KeyError, match="no model of the key 7"):
        KeyedModels(template()).predict([7], X[:1])
    (tmp_path / "text").write_text("nothing of that kind" * 100)
    with pytest.raises(ValueError, match="can't be used for models by key"):
        KeyedModels(template(), path=tmp_path / "text")
