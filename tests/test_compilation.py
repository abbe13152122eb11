"""The compiled cache serves a new process, and never code from before an edit."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import kernelpick

PACKAGE = Path(kernelpick.__file__).parent
PROGRAM = """
import numpy as np, kernelpick
from kernelpick.engine import play
run = kernelpick.trace("rf-oks", np.ones((3, 1)), np.ones(3), loss="square", n_features=2)
print(run.losses[0], sum(play.stats.cache_hits.values()))
"""


def printed(program: str, environment: dict[str, str] | None = None) -> str:
    command = [sys.executable, "-c", program]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.strip()


def run(source: Path, cache: Path) -> tuple[float, int]:
    """The first loss (a prediction of 0 where 1 was true) and the number of cache hits, in a new process."""
    environment = os.environ | {"PYTHONPATH": str(source), "NUMBA_CACHE_DIR": str(cache), "NUMBA_DISABLE_JIT": "0"}
    output = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True
    )
    loss, hits = output.stdout.split()
    return float(loss), int(hits)


def test_an_edit_is_seen_and_a_second_process_is_served(tmp_path):
    source, cache = tmp_path / "src", tmp_path / "cache"
    shutil.copytree(PACKAGE, source / "kernelpick", ignore=shutil.ignore_patterns("__pycache__"))
    assert run(source, cache) == (1.0, 0)
    assert run(source, cache) == (1.0, 1)
    losses = source / "kernelpick" / "losses.py"
    losses.write_text(losses.read_text().replace("return (f - y) ** 2", "return 7 * (f - y) ** 2"))
    assert run(source, cache) == (7.0, 0)


def test_importing_the_package_loads_nothing_heavy():
    program = (
        "import sys, kernelpick; kernelpick.__version__; dir(kernelpick);"
        "print([m for m in ('numpy', 'numba', 'sklearn', 'scipy', 'rich', 'river') if m in sys.modules])"
    )
    assert printed(program) == "[]"


def test_a_cache_that_can_not_be_written_is_no_obstacle(tmp_path):
    """The cache folder's place is taken by a file: compiled code goes to a temporary folder instead."""
    blocked = tmp_path / "blocked"
    blocked.write_text("not a folder")
    environment = os.environ | {"NUMBA_CACHE_DIR": str(blocked)}
    program = "from kernelpick.compilation import cache_folder; print(cache_folder().is_dir())"
    output = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    assert output.stdout.strip() == "True"
