"""The compiled cache serves a new process, and never code from before an edit."""

import copy
import inspect
import os
import pickle
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import numba
import numpy as np
import pytest
from numba.core import types
from numba.core.caching import IndexDataCacheFile

import kernelpick
from kernelpick.core.numerics import cache, compilation, notices, triangles
from kernelpick.core.numerics.kept_code import KeptCode, is_from_outside

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
    for page in ("lab/pages/html.py", "sklearn/base.py", "sources/delimited.py"):  # nothing that is compiled
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


@pytest.mark.programs
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


def test_an_edit_of_a_file_that_is_imported_is_seen(tmp_path):
    """What it has is compiled into functions of the file that imports it: mean_loss.py takes units from scaling.py."""
    package = tmp_path / "kernelpick"
    shutil.copytree(Path(kernelpick.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}

    def folder() -> str:
        file = package / "online" / "mean_loss.py"
        return printed(
            f"from kernelpick.core.numerics import cache; print(cache.folder_for({str(file)!r}))", environment
        )

    before = folder()
    for name, is_seen in (("online/scaling.py", True), ("lab/pages/html.py", False), ("core/loop.py", True)):
        with (package / name).open("a") as file:
            file.write("# edited\n")
        now = folder()
        assert (now != before) == is_seen
        before = now


@pytest.mark.skipif(not compilation.JIT, reason="nothing is compiled")
def test_two_that_save_at_the_same_moment_lose_nothing(tmp_path, monkeypatch):
    """Numba reads a list, adds an entry and writes it: one of two was lost, or led to the code of the other."""
    monkeypatch.setattr(cache.settings, "CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(cache, "_folder", cache._folder.__wrapped__)  # which remembers nothing
    save = IndexDataCacheFile._save_index
    monkeypatch.setattr(IndexDataCacheFile, "_save_index", lambda self, entries: (time.sleep(0.3), save(self, entries)))
    function, signatures = numba.njit(_twice), [(types.int64,), (types.float64,)]
    for signature in signatures:
        function.compile(signature)
    codes = [function.overloads[signature] for signature in signatures]
    savers = [
        threading.Thread(target=KeptCode(_twice).save_overload, args=given)
        for given in zip(signatures, codes, strict=True)
    ]
    for saver in savers:
        saver.start()
    for saver in savers:
        saver.join()
    for signature, code in zip(signatures, codes, strict=True):
        loaded = KeptCode(_twice).load_overload(signature, function.targetctx)
        assert loaded is not None and loaded.signature == code.signature


def _twice(x):
    return 2 * x


SMALL = """
import sys, numpy as np
from kernelpick.core.numerics import notices
notices.PATIENCE = float(sys.argv[1])
from kernelpick.online.scaling import scale_rows
from kernelpick.online.units import to_units
to_units(np.ones((1, 1)), np.ones((2, 1, 1)))
to_units(np.ones((1, 1)), np.ones((2, 1, 2))[:, :, ::2])
print(sum(to_units.stats.cache_hits.values()))
"""


def told(cache: Path, program: str = SMALL, patience: float = 0.0) -> tuple[str, str]:
    """What a new process prints, and what it says on stderr."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache), "NUMBA_DISABLE_JIT": "0"}
    command = [sys.executable, "-c", program, str(patience)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip(), done.stderr


@pytest.mark.programs
def test_compiling_that_takes_long_says_so_once(tmp_path):
    """Patience is set to none: two functions are compiled, and it is told once; not where the cache has them."""
    assert told(tmp_path / "other", patience=1000.0) == ("0", "")
    printed, said = told(tmp_path / "cache")
    assert printed == "0" and said.startswith("kernelpick compiles its loops for this machine, once;")
    assert said.count("\n") == 1
    assert told(tmp_path / "cache") == ("2", "")


ONE = """
import sys, numpy as np
from kernelpick.online.units import to_units
def scaled(units):
    values = np.full((1, 1), 0.5)
    to_units(values, units)
    print(values[0, 0], sum(to_units.stats.cache_hits.values()), "numba.np.arraymath" in sys.modules)
units = np.array([1.0, 4.0, 0.0, 2.0]).reshape(4, 1, 1)
scaled(units)
"""
ANOTHER = ONE + "scaled(np.repeat(units, 2, 2)[:, :, ::2])"


@pytest.mark.programs
def test_what_is_kept_is_loaded_without_what_numba_needs_to_compile(tmp_path):
    """And what is compiled then finds all that it needs. Numba's way of loading took a third of a trace's start."""
    assert told(tmp_path, ONE)[0] == "3.0 0 True"
    assert told(tmp_path, ANOTHER)[0].splitlines() == ["3.0 1 False", "3.0 1 True"]


def test_types_from_outside_are_told_wherever_they_are():
    """What is not known comes from outside; a sequence of calls is known by what is given and taken."""
    row = types.Array(types.float64, 1, "C")
    sequence = SimpleNamespace(calls=((types.none, (row, types.int64)), (types.int64, (row,))))
    foreign = SimpleNamespace(calls=((types.none, (row,)), (types.none, (types.Opaque("foreign"),))))
    assert [is_from_outside(of) for of in (row, sequence, foreign)] == [False, False, True]


def test_seconds_of_several_functions_add_up(monkeypatch):
    """Of what is left of the patience, after each of them; functions of others do not count."""
    clock, delays, ours = [0.0], [], [object(), object()]
    timer = SimpleNamespace(start=lambda: None, cancel=lambda: None)
    monkeypatch.setattr(notices.threading, "Timer", lambda delay, *what: (delays.append(delay), timer)[1])
    monkeypatch.setattr(notices.time, "perf_counter", lambda: clock[0])
    listener = notices.Compiling(ours)
    for dispatcher in (object(), *ours, ours[0]):
        about = SimpleNamespace(data={"dispatcher": dispatcher})
        listener.on_start(about)
        clock[0] += 1.5
        listener.on_end(about)
    assert delays == [2.0, 0.5, 0.0]


@pytest.mark.programs
def test_a_cache_that_can_not_be_written_is_told_once_and_read_still(tmp_path):
    """As in an image that is read-only: what was compiled when it was built was compiled again in every process."""
    told(tmp_path / "cache")
    readonly = "import os; os.access = lambda path, how: how != os.W_OK\n"
    printed, said = told(tmp_path / "cache", readonly + SMALL)
    assert printed == "2"
    assert said.count("\n") == 1 and f"can't keep compiled code in {tmp_path / 'cache'}" in said
    assert "(Permission denied)" in said and "set NUMBA_CACHE_DIR" in said
    (tmp_path / "file").write_text("in its place")
    printed, said = told(tmp_path / "file", patience=1000.0)
    assert printed == "0" and said.count("can't keep compiled code in") == 1


def test_an_inner_function_is_a_function_to_python():
    assert pickle.loads(pickle.dumps(triangles.solve)) is triangles.solve is copy.deepcopy(triangles.solve)
    assert list(inspect.signature(added).parameters) == ["a", "b"] and added(1, b=2) == 3


@compilation.inner
def added(a, b):
    return a + b
