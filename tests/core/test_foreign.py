"""Parts from outside the package, each in a process of its own: they change what compiled code is kept by."""

import os
import subprocess
import sys
from pathlib import Path

import kernelpick


def test_a_learner_that_always_says_42_does_so_wherever_it_is_asked():
    path = os.pathsep.join([str(Path(kernelpick.__file__).parents[1]), str(Path(__file__).parent)])
    command = [sys.executable, "-c", "import always_42; always_42.main()"]
    run = subprocess.run(command, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
