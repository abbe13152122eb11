"""The yardstick: limit.c, built and run here, so that our speed is a ratio measured in the same run."""

import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

FLAGS = ["-O3", "-march=native", "-ffast-math", "-mprefer-vector-width=512"]


@cache
def program() -> Path | None:
    """limit, compiled; None where there is no C compiler or it does not manage."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return None
    out = Path(tempfile.mkdtemp(prefix="kernelpick-limit-")) / "limit"
    source = Path(__file__).with_name("limit.c")
    for flags in (FLAGS, FLAGS[:-1]):  # the last flag is not known everywhere
        if subprocess.run([compiler, *flags, str(source), "-o", str(out), "-lm"], capture_output=True).returncode == 0:
            return out
    return None


def limit(*arguments: object) -> float | None:
    """Seconds a round that the bare arithmetic takes, as limit.c measures it."""
    path = program()
    if path is None:
        return None
    output = subprocess.run([str(path), *map(str, arguments)], capture_output=True, text=True, check=True)
    return float(output.stdout) * 1e-6
