"""Parts from outside the package: refused in sentences, told apart, cached rightly, named in model files.

What declares parts runs in processes of its own: here, it would change the compiled cache of all tests that follow.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import kernelpick
from kernelpick.core.algorithms import ALGORITHMS
from kernelpick.files.container import from_bytes, seal

HOME = str(Path(kernelpick.__file__).parents[1])
X = np.random.default_rng(0).uniform(-1, 1, (20, 2))

MINE = """
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple
import numpy as np
import kernelpick
from kernelpick.extend import Axes, Stationary, loss, plays_one, selector


@loss("steep", classifies=False, smooth=None, lipschitz=lambda radius: 1.0, largest=lambda radius: radius + 1)
class Steep(NamedTuple):
    factor: float = 1.0

    @staticmethod
    def value(loss: Any, f: float, y: float) -> float:
        return 1.0 * loss.factor * abs(f - y)

    @staticmethod
    def slope(loss: Any, f: float, y: float) -> float:
        return 1.0 if f > y else -1.0

    @staticmethod
    def reach(loss: Any, f: float, y: float) -> float:
        return abs(f - y)


@dataclass(frozen=True)
class Hat(Stationary):
    @staticmethod
    def value(s: float) -> float:
        return 1.0 / (1.0 + s) ** 2


@selector("fixed")
@plays_one
class Fixed(NamedTuple):
    p: Annotated[np.ndarray, Axes("arms")]

    @classmethod
    def build(cls, problem):
        return cls(problem.uniform())

    @staticmethod
    def select(selector, cast, count, trial, costs, ledger):
        return False


ALGORITHM = kernelpick.Algorithm("exact", "constant", Fixed)
"""
REGISTER = """
kernelpick.register("steep", Steep())
kernelpick.register("Hat", Hat)
kernelpick.register("fixed-oks", ALGORITHM)
"""


def printed(folder: Path, program: str, main: str = "-c") -> str:
    """What a program prints in a new process."""
    environment = os.environ | {"PYTHONPATH": HOME, "NUMBA_CACHE_DIR": str(folder / "cache"), "NUMBA_DISABLE_JIT": "0"}
    command = [sys.executable, "-W", "ignore", *([main, program] if main == "-c" else [main])]
    ended = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.strip()


# ---- the compiled cache

TRACE = """
from kernelpick.core.loop import play
X = np.random.default_rng(0).uniform(-1, 1, (30, 2))
run = kernelpick.trace("oks", X, np.ones(30), {options})
print(run.losses[0], sum(play.stats.cache_hits.values()))
"""
IMPORTS = "import numpy as np, kernelpick\nfrom mine import Hat\n"
OWN_LOSS = "import numpy as np, kernelpick\nfrom mine import Steep\n" + TRACE.format(options="loss=Steep(2.0)")
OWN_KERNEL = IMPORTS + TRACE.format(options="loss='absolute', kernels=[Hat(1.0)]")
OURS = IMPORTS + TRACE.format(options="loss='absolute'")


@pytest.mark.programs
def test_an_edit_of_a_module_with_a_part_is_seen_and_a_second_process_is_served(tmp_path):
    """It holds a loss and nothing else, and that is not even registered."""
    alone = MINE.split("@dataclass")[0]
    (tmp_path / "mine.py").write_text(alone)
    assert printed(tmp_path, OWN_LOSS) == "2.0 0"
    assert printed(tmp_path, OWN_LOSS) == "2.0 1"
    (tmp_path / "mine.py").write_text(alone.replace("return 1.0 * loss.factor", "return 7.0 * loss.factor"))
    assert printed(tmp_path, OWN_LOSS) == "14.0 0"


@pytest.mark.programs
def test_a_process_that_knows_a_kernel_and_does_not_use_it(tmp_path):
    """What the cache keeps for a kernel that this process has not used must not stop it."""
    (tmp_path / "mine.py").write_text(MINE)
    assert printed(tmp_path, OWN_KERNEL) == "1.0 0"
    assert printed(tmp_path, OURS) == "1.0 0"
    assert printed(tmp_path, OURS + OWN_KERNEL) == "1.0 1\n1.0 2"


@pytest.mark.programs
def test_an_edit_of_a_part_compiles_nothing_again_that_has_it_not(tmp_path):
    (tmp_path / "mine.py").write_text(MINE)
    assert printed(tmp_path, OURS + OWN_KERNEL) == "1.0 0\n1.0 0"
    (tmp_path / "mine.py").write_text(MINE + "# edited\n")
    assert printed(tmp_path, OURS + OWN_KERNEL) == "1.0 1\n1.0 1"


@pytest.mark.programs
def test_parts_of_a_main_program_are_not_cached_and_all_else_is(tmp_path):
    program = tmp_path / "program.py"
    for factor, hits in (("1.0", 0), ("3.0", 1)):
        text = MINE.replace("return 1.0 * loss.factor", f"return {factor} * loss.factor")
        program.write_text(text + TRACE.format(options="loss='absolute'") + TRACE.format(options="loss=Steep(1.0)"))
        assert printed(tmp_path, "", "program.py") == f"1.0 {hits}\n{factor} {hits}"


# ---- one name, two classes

TWICE = """
import numpy as np
text = open("mine.py").read()
edited = text.replace("return 1.0 * loss.factor", "return 3.0 * loss.factor").replace("** 2", "** 4")
edited = edited.replace("return False", "selector.p[0], selector.p[1] = 0.0, 1.0; return False")
X = np.random.default_rng(0).uniform(-1, 1, (30, 2))
for cell in (text, edited):
    exec(cell)
    common = {"loss": Steep(1.0), "kernels": [Hat(1.0), Hat(2.0)], "uniforms": [0.1] * 30}
    run = kernelpick.trace(ALGORITHM, X, np.ones(30), **common)
    print(run.losses[0], run.arms[-1], kernelpick.trace("oks", X, np.ones(30), **common).predictions[1])
"""


@pytest.mark.programs
def test_a_class_that_is_defined_again_is_compiled_again(tmp_path):
    """As in a notebook, after an edit. Numba tells named tuples apart by the names of their classes alone."""
    (tmp_path / "mine.py").write_text(MINE)
    (loss, arm, said), (new_loss, new_arm, new_said) = map(str.split, printed(tmp_path, TWICE).splitlines())
    assert (loss, arm) == ("1.0", "0")
    assert (new_loss, new_arm) == ("3.0", "1")
    assert float(new_said) < float(said)


# ---- model files

SAVE = """
from mine import *
X = np.random.default_rng(0).uniform(-1, 1, (60, 2))
for algorithm, name in ((ALGORITHM, "parts"), ("fixed-oks", "name")):
    model = kernelpick.KernelRegressor(algorithm, loss=Steep(2.0), kernels=[Hat(1.0), 0.5], random_state=0)
    model.partial_fit(X, X[:, 0]).save(name)
    print(model.predict(X[:2]).tolist())
"""
LOAD = """
import numpy as np, kernelpick
{before}
for name in ("parts", "name"):
    try:
        print(kernelpick.load(name).predict(np.random.default_rng(0).uniform(-1, 1, (60, 2))[:2]).tolist())
    except kernelpick.ModelFileError as error:
        print(error)
"""


@pytest.mark.programs
def test_a_model_of_foreign_parts_is_refused_until_they_are_registered(tmp_path):
    (tmp_path / "mine.py").write_text(MINE + REGISTER)
    said = printed(tmp_path, SAVE)
    parts, name = printed(tmp_path, LOAD.format(before="")).splitlines()
    told = "this model is made of parts from outside kernelpick that are not known here:"
    todo = "import the module that declares and registers them, then load it again."
    named = "the selector 'fixed', the loss 'steep', the kernel 'Hat'"
    assert parts == f"parts: {told} {named}; {todo}"
    assert name == f"name: {told} the algorithm 'fixed-oks', {named}; {todo}"
    assert printed(tmp_path, LOAD.format(before="import mine")) == said


@pytest.mark.parametrize("named", [3, "selector", [["selector"]], [["part", "x"]], [["loss", []]], [None]])
def test_a_file_whose_foreign_parts_are_none_is_refused(named):
    header, arrays = kernelpick.KernelRegressor(random_state=0)._pack()
    with pytest.raises(kernelpick.ModelFileError):
        from_bytes(seal({"face": "sklearn.KernelRegressor", **header, "foreign": named}, arrays))
    assert header["foreign"] == []


def test_an_algorithm_that_is_given_by_its_parts_is_kept_whole():
    for name in ("auto", "auto-small"):  # another learner for many inputs, fits, and a size
        model = from_bytes(kernelpick.KernelRegressor(ALGORITHMS[name]).to_bytes())
        assert model.algorithm == ALGORITHMS[name]


@pytest.mark.parametrize("size", [3, {"batch": 0}, {"batch": 2.5}, {"beside": 1}, {"breadth": 7}])
def test_an_algorithm_of_a_size_that_there_is_not_is_refused(size):
    header, arrays = kernelpick.KernelRegressor(ALGORITHMS["auto-small"])._pack()
    dict(header["params"]["value"])["algorithm"]["value"]["size"] = size
    with pytest.raises(kernelpick.ModelFileError):
        from_bytes(seal({"face": "sklearn.KernelRegressor", **header}, arrays))


def test_a_loss_without_a_name_can_not_be_saved(tmp_path):
    """It was written as a plain tuple, and the model was lost."""

    class Part(NamedTuple):
        name, classifies = "part", False

    with pytest.raises(ValueError, match=r"The loss 'part' has no name to be saved by: kernelpick.register\("):
        kernelpick.KernelRegressor(loss=Part()).save(tmp_path / "model")
    assert not list(tmp_path.iterdir())
