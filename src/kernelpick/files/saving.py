"""Model files are written whole or not at all, here or in the background, in the order in which they were asked for.

A file is written under another name beside its place, synced and renamed. A process that is killed meanwhile leaves
that other file, which the next save of the path clears away. Whether its writer is still at work is told by a lock,
which the system lifts when a process ends, however it ends: so nobody clears away what another process is writing.
"""

import atexit
import contextlib
import errno
import os
import re
import secrets
import shutil
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any, BinaryIO

from kernelpick.files import container

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

SURELY_LEFT = 86400.0  # seconds after which a file is nobody's, where there are no locks to ask

_latest: dict[Path, Future[None]] = {}  # for each path the latest save that is under way
_door = threading.Lock()
_ending = False  # the interpreter is, and waits for no further thread


def save(
    estimator: Any, path: str | os.PathLike[str], wait: bool = True, keep: Path | None = None
) -> Future[None] | None:
    """Write an estimator as it is now; without waiting, a future tells when it is there, or raises why it is not.

    What was there before is kept under another name, if there is one for it.
    """
    packed, place, done = container.snapshot(estimator), Path(os.path.abspath(path)), Future[None]()
    done.set_running_or_notify_cancel()  # from now on it can't be cancelled
    with _door:
        before, _latest[place] = _latest.get(place), done
    if wait or _ending or not _started(_write_in_turn, before, done, packed, place, keep):
        _write_in_turn(before, done, packed, place, keep)
    return done.result() if wait else done


def _started(work: Callable[..., None], *arguments: Any) -> bool:
    """Whether there is a thread that does it; no daemon, so that the interpreter waits for it at its end."""
    try:
        threading.Thread(target=work, args=arguments, daemon=False).start()
    except RuntimeError:  # there are too many of them
        return False
    return True


def _write_in_turn(
    before: Future[None] | None, done: Future[None], packed: container.Packed, place: Path, keep: Path | None
) -> None:
    try:
        if before is not None:
            before.exception()  # waits, whatever became of it
        _write(container.seal(*packed), place, keep)
    except BaseException as error:
        done.set_exception(error)
    else:
        done.set_result(None)
    finally:
        with _door:
            if _latest.get(place) is done:
                del _latest[place]


def _write(content: bytes, path: Path, keep: Path | None = None) -> None:
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "a model is saved to a file, and this is a folder", str(path))
    try:
        _write_beside(content, path, keep)
    except OSError as error:  # by the name that was given
        raise OSError(error.errno, error.strerror, str(path)) from error


def _write_beside(content: bytes, path: Path, keep: Path | None) -> None:
    _clear_away(path)
    beside, file = _claimed(path)
    try:
        with file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            if keep is not None:
                _keep(path, keep)
            if fcntl is not None:
                os.replace(beside, path)  # as long as it is locked
        if fcntl is None:
            os.replace(beside, path)  # Windows renames no file that is open
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise
    sync_folder(path)


def sync_folder(path: Path) -> None:
    """Where a folder can be synced, the new name of a file in it is safe too."""
    with contextlib.suppress(OSError, AttributeError):
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _keep(path: Path, keep: Path) -> None:
    """Give a file a second name, which it has when another takes its own; where there are no links, a copy does."""
    beside = keep.with_name(f".{path.name}.{secrets.token_hex(6)}")  # cleared away as what is written is
    try:
        try:
            os.link(path, beside)
        except OSError:
            if not path.exists():  # there was none before
                return
            shutil.copyfile(path, beside)
        os.replace(beside, keep)
    finally:
        beside.unlink(missing_ok=True)  # of two names of one file, renaming leaves both


def _claimed(path: Path) -> tuple[Path, BinaryIO]:
    """A new file beside the path, locked."""
    while True:
        beside = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
        file = open(beside, "xb")  # noqa: SIM115
        if fcntl is None:
            return beside, file
        with contextlib.suppress(OSError):  # not every file system has locks
            fcntl.flock(file, fcntl.LOCK_EX)
        if beside.exists():  # nobody took it for left behind before it was locked
            return beside, file
        file.close()


def _clear_away(path: Path) -> None:
    """What killed processes have left beside the path."""
    name = re.compile(re.escape(f".{path.name}.") + "[0-9a-f]{12}")
    with contextlib.suppress(OSError), os.scandir(path.parent) as beside:
        for left in [entry.path for entry in beside if name.fullmatch(entry.name)]:
            with contextlib.suppress(OSError):
                _clear(Path(left))


def _clear(left: Path) -> None:
    """Remove a file whose writer is gone; an OSError where it is not, or nobody knows."""
    if fcntl is None:
        if time.time() - left.stat().st_mtime > SURELY_LEFT:
            left.unlink()
        return
    with open(left, "r+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        left.unlink()


def _begin_afresh() -> None:
    """A forked process has none of the threads that were writing."""
    global _door
    _door = threading.Lock()
    _latest.clear()


def _finish() -> None:
    """At the end of the interpreter, which waits for threads before it asks whether there is anything left to do."""
    global _ending
    _ending = True
    for done in list(_latest.values()):
        done.exception()


atexit.register(_finish)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_afresh)
