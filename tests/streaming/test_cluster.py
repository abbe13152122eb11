"""`kernelpick run --cluster` and `compare --cluster`: two worker processes on the loopback address."""

import json
import os
import signal
import threading
import time

import numpy as np
import pandas
import pytest
from streaming_commands import contents, events, frame_of

import kernelpick
from kernelpick import KernelClassifier, KernelRegressor, cli
from kernelpick.streaming.score import Classes, Numbers

distributed = pytest.importorskip("distributed", reason="the extra kernelpick[cluster] is not installed")
OPTIONS = {"size": "small", "forgetting": 1.0, "missing_label": "skip", "random_state": 0}


@pytest.fixture(autouse=True)
def bounded():
    """A cluster that hangs is a failure, and no reason to wait."""

    def late(*_):
        raise TimeoutError("the cluster has taken more than four minutes")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(240)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None, silence_logs=50
    ) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Five files; in the third a row that is none, and blanks."""
    folder, rng = tmp_path_factory.mktemp("files"), np.random.default_rng(0)
    for number in range(5):
        X = rng.normal(size=(700, 2)).round(5)
        y = (np.sin(2 * X[:, 0]) + X[:, 1]).round(5)
        kinds = np.where(y > 0.5, "up", "down").astype(object)
        kinds[y > 2] = "rare" if number == 4 else "up"
        table = pandas.DataFrame({"a": X[:, 0], "b": X[:, 1], "y": y, "kind": kinds})
        if number == 2:
            table["y"] = table["y"].astype(object)
            table.loc[300, "y"], table.loc[400, "y"] = "oops", None
        table.to_csv(folder / f"{number}.csv", index=False)
    return folder


def run(folder, cluster, *arguments):
    address = () if cluster is None else ("--cluster", cluster.scheduler_address)
    return cli.main(["run", str(folder), "--size", "small", *map(str, (*address, *arguments))])


def by_hand(folder, kind, target, **declared):
    """A blank for each file, and all merged at once: they are less than eight."""
    frames = [frame_of(path) for path in sorted(folder.iterdir())]
    for frame in frames:
        frame["y"] = pandas.to_numeric(frame["y"], errors="coerce")
    rows = frames[0].iloc[np.unique(np.linspace(0, 699, 1024).astype(int))]
    start = kind(**OPTIONS).partial_fit(rows[["a", "b"]], rows[target].to_numpy(), **declared).blank()
    models, off = [], []
    for frame in frames:
        known = frame[frame[target].notna()]
        models.append(start.blank())
        said = models[-1].progressive_fit(known[["a", "b"]], known[target].to_numpy())
        off += (np.abs(said - known[target]) if target == "y" else said != known[target]).tolist()
    return kernelpick.merge(models), np.mean(off)


@pytest.mark.programs
def test_the_files_of_a_folder_are_learned_apart_and_merged(cluster, folder, tmp_path, capsys):
    """One of the workers is killed meanwhile, and nothing changes."""
    again = (folder, cluster, "--target", "y", "--drop", "kind", "--on-error", "skip", "--json")
    assert run(*again, "--model", tmp_path / "m") == 0
    end = events(capsys.readouterr().out)["end"][0]
    model, error = by_hand(folder, KernelRegressor, "y")
    kept, rows = kernelpick.load(tmp_path / "m"), frame_of(folder / "0.csv")[["a", "b"]]
    assert np.allclose(kept.predict(rows), model.predict(rows), rtol=0, atol=1e-9)
    assert (end["records"], end["learned"], end["unlabelled"], end["rejected"]) == (3500, 3498, 1, 1)
    assert end["error"] == pytest.approx(error) and end["finished"]

    def kill():
        while not killed:
            for address, worker in list(cluster.scheduler.workers.items()):
                if worker.processing:
                    victim = next(one for one in cluster.workers.values() if one.worker_address == address)
                    os.kill(victim.process.pid, signal.SIGKILL)
                    killed.append(address)
                    return
            time.sleep(0.002)

    killed = []
    thread = threading.Thread(target=kill, daemon=True)
    thread.start()
    assert run(*again, "--model", tmp_path / "k") == 0
    thread.join(10)
    assert killed and (tmp_path / "k").read_bytes() == (tmp_path / "m").read_bytes()
    before = contents(tmp_path)
    assert run(*again, "--model", tmp_path / "m", "--resume") == 0 and contents(tmp_path) == before
    assert "nothing is changed" in capsys.readouterr().err


@pytest.mark.programs
def test_classes_of_all_files_are_known_to_each(cluster, folder, tmp_path, capsys):
    assert run(folder, cluster, "--target", "kind", "--drop", "y", "--model", tmp_path / "m") == 0
    model, error = by_hand(folder, KernelClassifier, "kind", classes=["down", "rare", "up"])
    kept, rows = kernelpick.load(tmp_path / "m"), frame_of(folder / "4.csv")[["a", "b"]]
    assert kept.classes_.tolist() == ["down", "rare", "up"] and (kept.predict(rows) == model.predict(rows)).all()
    assert f"share of wrong labels {error:.2%}" in capsys.readouterr().out
    assert cli.main(["inspect", str(tmp_path / "m")]) == 0 and "3,500, to the end" in capsys.readouterr().out


def test_what_can_not_be_done_is_refused(cluster, folder, tmp_path, capsys):
    assert run(folder, cluster, "--target", "y", "--drop", "kind", "--model", tmp_path / "m") == 3
    assert "2.csv, line 302, column 'y'" in capsys.readouterr().err and not (tmp_path / "m").exists()
    for further, words in ((("--key", "kind"), "--key"), (("--predictions", tmp_path / "p"), "--predictions")):
        assert run(folder, cluster, "--target", "y", *further) == 2
        assert f"does not go with {words}" in capsys.readouterr().err


@pytest.mark.programs
def test_contests_are_held_on_the_cluster(cluster, folder, tmp_path, monkeypatch):
    monkeypatch.chdir(folder)
    common = [
        "compare",
        "0.csv",
        "--target",
        "y",
        "--drop",
        "kind",
        "--algorithms",
        "rf-oks++,raker",
        "--peers",
        "none",
    ]
    errors = []
    for name, further in (("here", []), ("there", ["--cluster", cluster.scheduler_address])):
        assert cli.main([*common, "--rows", "300", "--out", str(tmp_path / name), *further]) == 0
        table = pandas.read_csv(tmp_path / name / "results.csv")
        errors.append(table.sort_values("contestant")[["contestant", "error"]].values.tolist())
    assert errors[0] == errors[1]


def test_scores_add_up():
    rng = np.random.default_rng(0)
    said, labels = rng.normal(size=(2, 60))
    parts = [Numbers(), Numbers()]
    for place, part in enumerate(parts):
        part.add(said[place::2], labels[place::2])
    parts[0].include(parts[1])
    assert parts[0].rows == 60 and parts[0].wrong == pytest.approx(np.abs(said - labels).sum())
    one, other = Classes(), Classes()
    one.add(["a", "b"], ["a", "a"])
    other.add(["b", "b", "b"], ["b", "b", "b"])
    one.include(other)
    assert json.loads(json.dumps(one.packed())) == {
        "rows": 5, "wrong": 1, "guess": 2, "counts": [["a", 2], ["b", 3]], "usual": "b",
    }  # fmt: skip
