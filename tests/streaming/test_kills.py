"""A run that is killed 50 times leaves the bytes of one that was not. `make soak` does it a thousand times."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import kernelpick


@pytest.mark.programs
@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")
def test_fifty_kills():
    program = Path(__file__).parents[1] / "soak_run.py"
    environment = os.environ | {"PYTHONPATH": str(Path(kernelpick.__file__).parents[1])}
    command = [sys.executable, str(program), "--kills", "50", "--cases", "numbers"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0 and "the same bytes" in done.stdout, done.stdout + done.stderr
