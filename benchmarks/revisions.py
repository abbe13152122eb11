"""Another revision's files beside the working tree, and programs that run on one or the other."""

import io
import os
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def checked_out(revision: str) -> Path:
    """The files of a revision, in a folder of build/ that is named by its commit.

    They stay there, with the commit's time as theirs: Numba's cache asks for the place and the time of a source, so
    another folder, or later files, would be compiled again.
    """
    commit = _git("rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}").decode().strip()
    folder = ROOT / "build" / f"revision-{commit[:12]}"
    if not folder.exists():
        beside = folder.with_name(f"{folder.name}.{os.getpid()}")
        with tarfile.open(fileobj=io.BytesIO(_git("archive", commit))) as archive:
            archive.extractall(beside, filter="data")
        beside.rename(folder)
    return folder


def _git(*arguments: str) -> bytes:
    done = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True)
    if done.returncode:
        raise SystemExit(f"git {arguments[0]} failed: {done.stderr.decode().strip()}")
    return done.stdout


def environment(tree: Path, **more: str) -> dict[str, str]:
    """That of a program which imports the package of a tree, on one thread."""
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return os.environ | threads | {"PYTHONPATH": str(tree / "src")} | more


def python(tree: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run Python on a tree. The package must be the one of that tree, and not one that is installed."""
    guard = f"import kernelpick; assert kernelpick.__file__.startswith({str(tree / 'src')!r}), kernelpick.__file__"
    subprocess.run([sys.executable, "-c", guard], check=True, env=environment(tree, **more))
    return subprocess.run(
        [sys.executable, *arguments], check=True, env=environment(tree, **more), stdout=subprocess.PIPE, text=True
    )
