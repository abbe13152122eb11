"""Without the extra `lab`: learning, predicting and the demo work; what needs more says so."""

import subprocess
import sys

import pytest

# What a light install does not have: an import of it fails as if it were not there.
HIDDEN = """
import sys
for name in ("rich", "pooch", "requests", "distributed", "river", "vowpalwabbit", "matplotlib", "pyarrow"):
    sys.modules[name] = None
"""


def run(program: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-c", HIDDEN + program], capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize(
    "arguments", [["reproduce"], ["compare", "bank"], ["regret", "planted"], ["calibrate"], ["data"]]
)
def test_a_command_of_the_laboratory_says_what_to_install(arguments, tmp_path):
    done = run(
        f"import os; os.chdir({str(tmp_path)!r}); from kernelpick.cli import main; sys.exit(main({arguments!r}))"
    )
    told = f'kernelpick: {arguments[0]} needs kernelpick[lab]: pip install "kernelpick[lab]" brings '
    assert done.returncode == 2 and done.stdout == "" and list(tmp_path.iterdir()) == []
    assert done.stderr == told + "pooch, requests, rich.\n"


def test_help_needs_nothing():
    done = run("from kernelpick.cli import main; main(['reproduce', '--help'])")
    assert done.returncode == 0 and "--plugin FILE" in done.stdout


def test_the_demo_and_the_estimators_need_nothing_more():
    program = """
import kernelpick.demo, numpy
from kernelpick import KernelRegressor
X = numpy.random.default_rng(0).normal(size=(30, 2))
KernelRegressor("raker", random_state=0).partial_fit(X, X[:, 0]).predict(X)
kernelpick.demo.main()
"""
    done = run(program)
    assert done.returncode == 0 and "569 learned" in done.stdout and "in the lead" in done.stdout, done.stderr
