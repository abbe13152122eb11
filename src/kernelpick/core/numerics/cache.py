"""Where compiled code is kept, so that a new process does not compile again and never runs code from before an edit.

Numba keys its on-disk cache by the file of the *outer* function: after an edit of a loss a cached loop would go on
running the old one. So the cache lives in a folder that is named by a hash of all that a compiled function can be made
of: the sources of core, which imports nothing outside itself, the file of the function where that lies elsewhere, with
those that it imports, and, where it is for a part from outside the package (kept_code.py), the files of such parts.
Pages, faces and readers change without compiling anything again.
"""

import contextlib
import errno
import hashlib
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from numba.core import config

from kernelpick.core.numerics.notices import say_once

settings: Any = config  # its attributes are set at run time, so no type checker knows them
CORE = Path(__file__).parents[1]
PACKAGE = CORE.parent
IMPORTED = re.compile(rf"^from {PACKAGE.name}\.([\w.]+) import", re.MULTILINE)
KEEP_SECONDS = 30 * 86400  # folders of other versions of the sources, unused for that long, are removed
_foreign: dict[str, Path] = {}  # modules outside the package that parts come from


def sources_hash(files: Iterable[Path], modules: Iterable[str] = ()) -> str:
    """A name for exactly these sources and those of core, and for what else changes the code that comes out.

    modules: what files from outside are called here. The cache tells classes apart by that, and a process that has the
    same file by another name could not even read what it lists.
    """
    digest = _of_core().copy()
    digest.update(f"{settings.BOUNDSCHECK} {sorted(modules)}".encode())
    for path in sorted(files):
        name = path.relative_to(CORE.parent) if path.is_relative_to(CORE.parent) else path.name
        _take_in(digest, str(name), path)
    return digest.hexdigest()


@cache
def _of_core() -> Any:
    """Read once for a process: functions of a dozen files ask."""
    digest = hashlib.blake2b(digest_size=10)
    for path in sorted(CORE.rglob("*.py")):
        _take_in(digest, str(path.relative_to(CORE)), path)
    return digest


@cache
def _imported(path: Path) -> frozenset[Path]:
    """A file of the package outside core, and those that it imports: functions and numbers of these are compiled into
    its own."""
    found, coming = set[Path](), {path} - {PACKAGE / "__init__.py"}
    while coming:
        found.add(one := coming.pop())
        for name in IMPORTED.findall(one.read_text(encoding="utf-8")) if one.is_relative_to(PACKAGE) else ():
            module = PACKAGE.joinpath(*name.split("."))
            file = module / "__init__.py" if module.is_dir() else module.with_suffix(".py")
            if file not in found and not file.is_relative_to(CORE):
                coming.add(file)
    return frozenset(found)


def _take_in(digest: Any, name: str, path: Path) -> None:
    digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")


def add_foreign(module: str) -> bool:
    """Take the file of a module from outside into the names of the folders; False if it was there before."""
    if module in _foreign or module.partition(".")[0] == CORE.parent.name:
        return False
    file = getattr(sys.modules.get(module), "__file__", None)
    _foreign[module] = Path(file) if file else Path()
    return True


def is_kept() -> bool:
    """Whether compiled code can be found again: not if a part lives in a program's main module or has no file."""
    return all(name != "__main__" and path.is_file() for name, path in _foreign.items())


def is_foreign(cls: type) -> bool:
    """Whether a class comes from outside the package, or is made for such ones (kernels/families.py)."""
    return getattr(cls, "from_outside", False) or cls.__module__.partition(".")[0] != CORE.parent.name


def folder_for(file: str, from_outside: bool = True) -> Path:
    """The folder for compiled functions of that file, in which there may be code from outside."""
    own = [] if Path(file).is_relative_to(CORE) else _imported(Path(file))
    others = _foreign if from_outside else {}
    return _folder(sources_hash([*own, *others.values()], others))


@cache
def _folder(name: str) -> Path:
    """Under NUMBA_CACHE_DIR or the user's cache, else a temporary one that goes with the process.

    What was compiled there before, as in an image that is read-only now, serves still: it is copied.
    """
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    base = Path(settings.CACHE_DIR or home) / "kernelpick-compiled"
    folder = base / name
    try:
        fresh = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        os.utime(folder)
        if fresh:
            _forget_old(base)
    except OSError as problem:  # a read-only home: compile once a process, and still work
        say_once(
            f"kernelpick can't keep compiled code in {base} ({problem.strerror}): what is not there yet, every process "
            "compiles again; set NUMBA_CACHE_DIR to a folder that can be written."
        )
        there = Path(_temporary().name) / name
        with contextlib.suppress(OSError):
            shutil.copytree(folder, there)
        there.mkdir(exist_ok=True)
        return there
    return folder


@cache
def _temporary() -> tempfile.TemporaryDirectory:
    return tempfile.TemporaryDirectory(prefix="kernelpick-compiled-", ignore_cleanup_errors=True)


def _forget_old(base: Path) -> None:
    for other in base.iterdir():
        with contextlib.suppress(OSError):
            if time.time() - other.stat().st_mtime > KEEP_SECONDS:
                shutil.rmtree(other)


@contextlib.contextmanager
def used_for(file: str, from_outside: bool) -> Iterator[None]:
    """Numba finds its cache through a setting, which it reads when a function is decorated."""
    before, there = settings.CACHE_DIR, str(folder_for(file, from_outside))
    settings.CACHE_DIR = there
    try:
        yield
    finally:
        settings.CACHE_DIR = before
