"""The stamp of a run names the code and the data behind it."""

import subprocess
import sys
from pathlib import Path

import pytest

from kernelpick.files.errors import DataError
from kernelpick.lab.reproduce import stamps
from kernelpick.lab.reproduce.runs import Run
from kernelpick.lab.running.stamps import sources

RUN = """
import sys
import numpy as np
from kernelpick.lab.reproduce.cells import chosen
from kernelpick.lab.reproduce.runs import Run, run_over
run_over(Run(chosen("9", "bank", "raker")[0], "published", 0, None), np.zeros((3, 2)), np.zeros(3))
print(*(m.__file__ for n, m in sys.modules.items() if n.startswith("kernelpick.")), sep="\\n")
"""


def test_all_code_that_a_run_uses_is_in_the_stamp():
    done = subprocess.run([sys.executable, "-c", RUN], capture_output=True, text=True, timeout=120, check=True)
    used = {Path(line) for line in done.stdout.split()}
    assert len(used) > 20 and used <= set(sources(stamps.RUNS))


def test_other_data_is_another_stamp(cell, made_up, tmp_path):
    stamps.stamp.cache_clear()
    here = stamps.stamp("bank", str(made_up))
    (tmp_path / "bank32nh.arff").write_bytes((made_up / "bank32nh.arff").read_bytes() + b"\n")
    assert here != stamps.stamp("bank", str(tmp_path)) and here == stamps.stamp("bank", str(made_up))
    run = Run(cell("raker"), "published", 0, None)
    stamps.check(run, str(made_up), (), here)
    with pytest.raises(DataError, match="A worker has another version of kernelpick, another file for bank or"):
        stamps.check(run, str(tmp_path), (), here)
