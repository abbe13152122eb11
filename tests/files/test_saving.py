"""Model files are written in the background, in their order, and what a killed save has left is cleared away."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import kernelpick
from kernelpick import KernelRegressor
from kernelpick.files import saving

HOME = {"PYTHONPATH": str(Path(kernelpick.__file__).parents[1])}
LEFT = ".model.0123456789ab"


def program(code: str, folder: Path, **options) -> subprocess.Popen:
    command = [sys.executable, "-c", f"import atexit, os, signal, sys, threading, time\n{code}"]
    return subprocess.Popen(command, cwd=folder, env=os.environ | HOME, text=True, **options)


@pytest.fixture
def held(monkeypatch):
    """The disk waits for this event."""
    event, sync = threading.Event(), os.fsync

    def slowly(number: int) -> None:
        assert event.wait(60)
        sync(number)

    monkeypatch.setattr(saving.os, "fsync", slowly)
    yield event
    event.set()


def test_a_save_in_the_background_is_of_its_moment(tmp_path, held):
    model = KernelRegressor(n_features=4, kernels=[1.0], scale=None, scale_target=False, random_state=0)
    model.partial_fit([[1.0], [2.0]], [1.0, 2.0])
    before = model.to_bytes()
    saved = model.save(tmp_path / "model", wait=False)
    model.partial_fit([[3.0]], [3.0])
    assert not saved.done() and not saved.cancel() and not (tmp_path / "model").exists()
    held.set()
    assert saved.result(60) is None and (tmp_path / "model").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["model"] and saving._latest == {}


def test_saves_of_one_path_are_in_order(tmp_path, held, monkeypatch):
    """The same path by another name, too; whoever waits does so for all that came before."""
    monkeypatch.chdir(tmp_path)
    saved = [KernelRegressor(radius=1.0 + i).save(["model", tmp_path / "model"][i % 2], wait=False) for i in range(6)]
    other = KernelRegressor(radius=99.0).save("other", wait=False)
    threading.Timer(0.2, held.set).start()
    KernelRegressor(radius=50.0).save("model")
    assert all(one.done() for one in saved) and kernelpick.load("model").radius == 50.0
    other.result(60)
    assert sorted(os.listdir()) == ["model", "other"] and saving._latest == {}


def test_what_went_wrong_is_raised_by_the_result(tmp_path):
    path = tmp_path / "folder" / "model"
    first = KernelRegressor().save(path, wait=False)
    with pytest.raises(FileNotFoundError):
        first.result(60)
    path.parent.mkdir()
    KernelRegressor(radius=2.0).save(path, wait=False).result(60)
    assert kernelpick.load(path).radius == 2.0
    with pytest.raises(ValueError, match="can't be saved"):  # at once: the model itself can't be
        KernelRegressor(radius=object()).save(path, wait=False)
    (tmp_path / "taken").mkdir()
    with pytest.raises(OSError):
        KernelRegressor().save(tmp_path / "taken")
    assert sorted(os.listdir(tmp_path)) == ["folder", "taken"] and os.listdir(path.parent) == ["model"]


def test_the_interpreter_waits_for_saves_at_its_end(tmp_path):
    code = """
atexit.register(lambda: KernelRegressor(radius=4.0).save("at the very end", wait=False))
from kernelpick import KernelRegressor
sync = os.fsync
os.fsync = lambda number: (time.sleep(0.5), sync(number))
atexit.register(lambda: KernelRegressor(radius=3.0).save("at the end", wait=False))
threading.Thread(target=lambda: KernelRegressor(radius=2.0).save("model", wait=False), daemon=True).start()
time.sleep(0.1)
"""
    assert program(code, tmp_path).wait(60) == 0
    radii = {name: kernelpick.load(tmp_path / name).radius for name in os.listdir(tmp_path)}
    assert radii == {"model": 2.0, "at the end": 3.0, "at the very end": 4.0}


def test_what_a_killed_save_left_is_cleared_away(tmp_path):
    """Temporary files stayed for ever."""
    code = """
from kernelpick import KernelRegressor
os.replace = lambda *names: os.kill(os.getpid(), signal.SIGKILL)
KernelRegressor().save("model")
"""
    assert program(code, tmp_path).wait(60) == -signal.SIGKILL
    (left,) = tmp_path.iterdir()
    assert left.name.startswith(".model.")
    others = [".model.backup", LEFT + ".txt", ".model.0123456789AB", ".models.0123456789ab", "model.0123456789ab"]
    for name in others:
        (tmp_path / name).write_text("not ours")
    (tmp_path / LEFT).write_text("of an earlier version")
    KernelRegressor().save(tmp_path / "model")
    assert sorted(os.listdir(tmp_path)) == sorted(["model", *others])


def test_what_another_process_is_writing_stays(tmp_path):
    code = """
from kernelpick import KernelRegressor
sync = os.fsync
os.fsync = lambda number: (print("writing", flush=True), sys.stdin.readline(), sync(number))
KernelRegressor(radius=7.0).save("model")
"""
    with program(code, tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout.readline() == "writing\n"
        KernelRegressor(radius=2.0).save(tmp_path / "model")
        assert kernelpick.load(tmp_path / "model").radius == 2.0 and len(os.listdir(tmp_path)) == 2
        other.communicate("go on\n\n", timeout=60)
        assert other.returncode == 0
    assert os.listdir(tmp_path) == ["model"] and kernelpick.load(tmp_path / "model").radius == 7.0


def test_a_file_that_is_cleared_away_before_it_is_locked_is_made_again(tmp_path, monkeypatch):
    if saving.fcntl is None:
        pytest.skip("there are no such locks here")
    lock, first = saving.fcntl.flock, []

    def too_late(file, how):
        if not first:
            first.append(Path(file.name))
            first[0].unlink()
        lock(file, how)

    monkeypatch.setattr(saving.fcntl, "flock", too_late)
    KernelRegressor(radius=2.0).save(tmp_path / "model")
    assert first and kernelpick.load(tmp_path / "model").radius == 2.0 and os.listdir(tmp_path) == ["model"]


def test_without_locks_only_what_is_old_is_cleared_away(tmp_path, monkeypatch):
    monkeypatch.setattr(saving, "fcntl", None)
    old, new = tmp_path / LEFT, tmp_path / ".model.ba9876543210"
    for path in (old, new):
        path.write_text("left, or not yet there")
    os.utime(old, (0, 0))
    KernelRegressor().save(tmp_path / "model")
    assert sorted(os.listdir(tmp_path)) == [new.name, "model"]


def test_without_a_thread_it_is_written_at_once(tmp_path, monkeypatch):
    def refused(thread):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refused)
    assert KernelRegressor(radius=2.0).save(tmp_path / "model", wait=False).done()
    assert kernelpick.load(tmp_path / "model").radius == 2.0 and saving._latest == {}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_process_does_not_wait_for_threads_that_it_has_not(tmp_path):
    code = """
from kernelpick import KernelRegressor
sync = os.fsync
os.fsync = lambda number: (time.sleep(3600), sync(number))
KernelRegressor(radius=2.0).save("model", wait=False)
time.sleep(0.2)
child = os.fork()
if child == 0:
    os.fsync = sync
    KernelRegressor(radius=3.0).save("model")
    os._exit(0)
code = os.waitpid(child, 0)[1]
os.kill(os.getpid(), signal.SIGKILL) if code else os._exit(0)
"""
    assert program(code, tmp_path).wait(60) == 0
    assert kernelpick.load(tmp_path / "model").radius == 3.0
