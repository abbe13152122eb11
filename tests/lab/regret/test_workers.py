"""The work is done elsewhere: by a plugin's algorithm in another process, and by the workers of a cluster."""

import csv
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kernelpick.cli import main

EXAMPLE = Path(__file__).parents[3] / "examples" / "exp3_ix.py"
QUICK = ["--horizons", "30", "--kernels", "2", "--features", "4", "--repeats", "1"]


def regrets(folder):
    rows = csv.DictReader((folder / "summary.csv").read_text().splitlines())
    return [{name: value for name, value in row.items() if name != "seconds_per_round"} for row in rows]


@pytest.mark.programs
def test_the_algorithm_of_a_plugin_takes_part(tmp_path):
    asked = ["regret", "noise", "--algorithms", "rf-exp3-ix,raker", *QUICK, "--jobs", "1", "--plugin", str(EXAMPLE)]
    command = [sys.executable, "-m", "kernelpick.cli", *asked, "--out", str(tmp_path / "out")]
    interpreted = os.environ | {"NUMBA_DISABLE_JIT": "1"}  # few rows do not pay for a compilation
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=interpreted)
    assert done.returncode == 0, done.stderr
    own = [row for row in regrets(tmp_path / "out") if row["algorithm"] == "rf-exp3-ix"]
    assert len(own) == 2 and all(float(row["regret"]) > 0 for row in own)
    plays = list(csv.DictReader((tmp_path / "out" / "plays" / "results.csv").read_text().splitlines()))
    stamps = {row["entrant"]: row["stamp"] for row in plays}
    assert stamps["rf-exp3-ix"].startswith(f"{stamps['raker']}-")


def test_a_cluster_takes_the_work(tmp_path):
    distributed = pytest.importorskip("distributed", reason="the extra kernelpick[cluster] is not installed")
    asked = ["regret", "noise", "--algorithms", "rf-oks++", *QUICK]
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None, silence_logs=50
    ) as cluster:
        assert main([*asked, "--out", str(tmp_path / "far"), "--cluster", cluster.scheduler_address]) == 0
    assert main([*asked, "--out", str(tmp_path / "here"), "--jobs", "1"]) == 0
    assert regrets(tmp_path / "far") == regrets(tmp_path / "here")
