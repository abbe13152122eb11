"""The compiled cache serves a new process, and never code from before an edit."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import kernelpick
from kernelpick.core.numerics import compilation

PACKAGE = Path(kernelpick.__file__).parent
PROGRAM = """
import numpy as np, kernelpick
from kernelpick.core.loop import play
X = np.random.default_rng(0).normal(size=(400, 3))
run = kernelpick.trace("oks", X, np.ones(400), loss="square")
print(run.losses[0], sum(play.stats.cache_hits.values()), run.predictions.tobytes().hex())
"""


def printed(program: str, environment: dict[str, str] | None = None) -> str:
    command = [sys.executable, "-c", program]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.strip()


def run(source: Path, cache: Path) -> tuple[float, int, str]:
    """In a new process: the first loss (of predicting 0 where 1 was true), cache hits, all predictions."""
    environment = os.environ | {"PYTHONPATH": str(source), "NUMBA_CACHE_DIR": str(cache), "NUMBA_DISABLE_JIT": "0"}
    loss, hits, predictions = printed(PROGRAM, environment).split()
    return float(loss), int(hits), predictions


@pytest.mark.programs
def test_an_edit_is_seen_and_a_second_process_is_served(tmp_path):
    source, cache = tmp_path / "src", tmp_path / "cache"
    shutil.copytree(PACKAGE, source / "kernelpick", ignore=shutil.ignore_patterns("__pycache__"))
    loss, hits, predictions = run(source, cache)
    assert (loss, hits) == (1.0, 0)
    assert run(source, cache) == (1.0, 1, predictions)  # from the cache, and the same to the last bit
    for page in ("lab/pages/html.py", "sklearn/base.py", "files/csv.py"):  # nothing that is compiled
        edit(source / "kernelpick" / page, "", "# edited\n")
    assert run(source, cache) == (1.0, 1, predictions)
    edit(source / "kernelpick" / "core" / "losses" / "square.py", "return (f - y) ** 2", "return 7 * (f - y) ** 2")
    assert run(source, cache)[:2] == (7.0, 0)


def edit(path: Path, old: str, new: str) -> None:
    """The old words become the new ones, or these are added where there are none."""
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new) if old else text + new)


def test_a_whole_number_of_hypotheses_compiles_nothing_new():
    X, y = np.random.default_rng(0).normal(size=(70, 3)), np.ones(70)

    def signatures() -> int:
        return sum(len(getattr(function, "signatures", [])) for function in compilation._called_by_python)

    kernelpick.trace("leader", X, y, loss="square", n_features=4, hypotheses=5.0, forgetting=1.0)
    before = signatures()
    kernelpick.trace("leader", X, y, loss="square", n_features=4, hypotheses=5, forgetting=1)
    assert signatures() == before and (before > 0) == compilation.JIT


def test_importing_the_package_loads_nothing_heavy():
    program = (
        "import sys, kernelpick; kernelpick.__version__; dir(kernelpick);"
        "print([m for m in ('numpy', 'numba', 'sklearn', 'scipy', 'rich', 'river') if m in sys.modules])"
    )
    assert printed(program) == "[]"


def test_a_cache_that_can_not_be_written_is_no_obstacle(tmp_path):
    """The cache folder's place is taken by a file: compiled code goes to a temporary folder instead.

    Fault 9: that folder stayed, one for each process.
    """
    blocked = tmp_path / "blocked"
    blocked.write_text("not a folder")
    environment = os.environ | {"NUMBA_CACHE_DIR": str(blocked)}
    program = (
        "from kernelpick.core.numerics import cache; folder = cache.folder_for(cache.__file__);"
        "print(folder.is_dir(), folder)"
    )
    there, folder = printed(program, environment).split()
    assert there == "True" and not Path(folder).exists()  # it goes with the process
