"""A real cluster of two processes on the loopback address, one of which is killed in the middle."""

import csv
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from kernelpick.cli import main

CELLS = ["--datasets", "bank", "--tables", "9", "--algorithms", "rf-oks,raker", "--repeats", "6"]
RUNS = 2 * 4 * 6


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed", reason="the extra kernelpick[cluster] is not installed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None, silence_logs=50
    ) as cluster:
        yield cluster


def lines(folder):
    path = folder / "results.csv"
    return list(csv.DictReader(path.read_text().splitlines())) if path.exists() else []


@pytest.mark.programs
def test_a_worker_is_killed_while_cells_are_in_flight(cluster, made_up, tmp_path):
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    killed = []

    def kill():
        while len(lines(broken)) < 5:
            time.sleep(0.005)
        processing = {address: len(worker.processing) for address, worker in cluster.scheduler.workers.items()}
        address = max(processing, key=processing.get)
        victim = next(worker for worker in cluster.workers.values() if worker.worker_address == address)
        os.kill(victim.process.pid, signal.SIGKILL)
        killed.append((processing[address], len(lines(broken))))

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    common = ["reproduce", *CELLS, "--data", str(made_up)]
    assert main([*common, "--out", str(broken), "--cluster", cluster.scheduler_address]) == 0
    killer.join(timeout=10)
    ((in_flight, done),) = killed
    assert in_flight > 0 and done < RUNS
    assert main([*common, "--out", str(whole), "--jobs", "1"]) == 0
    assert (broken / "summary.csv").read_text() == (whole / "summary.csv").read_text()
    assert len(lines(broken)) == len(lines(whole)) == RUNS


@pytest.mark.parametrize("address", ["127.0.0.1:1", "tcp://127.0.0.1:1"])
def test_no_scheduler(made_up, tmp_path, capsys, monkeypatch, address):
    pytest.importorskip("distributed")
    monkeypatch.setattr("kernelpick.lab.running.workers.PATIENCE", 0.5)
    assert main(["reproduce", *CELLS, "--data", str(made_up), "--out", str(tmp_path), "--cluster", address]) == 2
    told = capsys.readouterr().err.strip().splitlines()[-1]
    assert told.startswith(f"kernelpick: There is no Dask scheduler at '{address}'")


def test_dask_is_not_installed(made_up, tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(["reproduce", *CELLS, "--data", str(made_up), "--out", str(tmp_path), "--cluster", "x"]) == 2
    assert 'pip install "kernelpick[cluster]"' in capsys.readouterr().err


@pytest.mark.programs
def test_a_plugin_reaches_the_workers(cluster, made_up, tmp_path):
    plugin = tmp_path / "guest.py"
    plugin.write_text(
        "import kernelpick\nkernelpick.register('guest', kernelpick.Algorithm('features', 'constant', 'exp3'))\n"
    )
    asked = ["--datasets", "bank", "--tables", "9", "--algorithms", "rf-oks++", "--repeats", "1", "--add", "guest"]
    where = ["--data", str(made_up), "--out", str(tmp_path / "out"), "--cluster", cluster.scheduler_address]
    command = [sys.executable, "-m", "kernelpick.cli", "reproduce", *asked, "--plugin", str(plugin), *where]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert [row["algorithm"] for row in lines(tmp_path / "out")].count("guest") == 1
