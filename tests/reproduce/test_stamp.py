"""A stamp names the code and the data behind a result."""

import subprocess
import sys
from pathlib import Path

import pytest

from kernelpick.reproduce import stamp
from kernelpick.streams.errors import DataError


def test_all_code_that_a_run_imports_is_in_the_stamp():
    code = (
        "import sys, kernelpick.reproduce.runs; "
        "print(*(m.__file__ for n, m in sys.modules.items() if n.startswith('kernelpick')), sep='\\n')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    package = Path(stamp.kernelpick.__file__).parent
    entrances = {package / "__init__.py", package / "reproduce" / "__init__.py"}  # they import or describe, no more
    assert {Path(line) for line in done.stdout.split()} <= {*stamp.sources(), *entrances}


def test_other_data_is_another_stamp(made_up, tmp_path):
    stamp.stamp.cache_clear()
    here = stamp.stamp("bank", str(made_up))
    (tmp_path / "bank32nh.arff").write_bytes((made_up / "bank32nh.arff").read_bytes() + b"\n")
    assert here != stamp.stamp("bank", str(tmp_path)) and here == stamp.stamp("bank", str(made_up))
    stamp.check("bank", str(made_up), here)
    with pytest.raises(DataError, match="A worker has another version of kernelpick, or another file for bank"):
        stamp.check("bank", str(tmp_path), here)
