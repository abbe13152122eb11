"""What is handed out: the wheel, in an empty environment, does what the first page says."""

import os
import re
import subprocess
import sys
import tarfile
import venv
from pathlib import Path

import pytest

import kernelpick

ROOT = Path(__file__).parents[1]


def run(*command, **options):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, timeout=900, env=environment, **options
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.programs
def test_the_wheel_alone(tmp_path):
    """Built from the source distribution, so that this is complete, too."""
    pytest.importorskip("build")
    run(sys.executable, "-m", "build", "--outdir", tmp_path / "dist", ROOT)
    (source,), (wheel,) = ((tmp_path / "dist").glob(end) for end in ("*.tar.gz", "*.whl"))
    with tarfile.open(source) as archive:
        packed = {name.partition("/")[2] for name in archive.getnames()}
    assert {"README.md", "docs/conf.py", "docs/index.md", "tests/naive.py", "CONTRIBUTING.md", "CITATION.cff"} <= packed
    venv.create(tmp_path / "empty", with_pip=True)
    there = tmp_path / "empty" / "bin"
    run(there / "pip", "install", "--quiet", "--disable-pip-version-check", wheel)
    assert run(there / "kernelpick", "--version", cwd=tmp_path) == f"kernelpick {kernelpick.__version__}\n"
    first = re.search(r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text("utf-8"), re.DOTALL | re.MULTILINE)[1]
    told = run(there / "python", "-c", f"{first}\nprint(len(answers), kernelpick.__file__)", cwd=tmp_path).split()
    assert int(told[0]) > 0 and Path(told[1]).is_relative_to(tmp_path)
