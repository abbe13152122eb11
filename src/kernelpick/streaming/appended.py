"""A file that a run adds to, and that goes on where a checkpoint says: what was written after it is cut off."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from kernelpick.files.saving import sync_folder

FLUSHED_AT = 2**18  # bytes that wait


class Appended:
    """Bytes that wait here, then those that the system has, then those on disk (`sync`)."""

    def __init__(self, path: Path, header: bytes, length: int | None = None) -> None:
        """A new file, or one that is cut to a length that it had."""
        self.path, self.length = path, 0
        self._waiting: list[bytes] = []
        self._n_waiting = 0
        self._is_new = length is None
        with self._by_its_name():
            self._file = open(path, "r+b" if length is not None else "wb", buffering=0)  # noqa: SIM115
        if length is None:
            self.write(header)
            return
        with self._by_its_name():
            if (there := os.fstat(self._file.fileno()).st_size) < length:
                self._file.close()
                raise ValueError(
                    f"{path} has {there:,} bytes where the checkpoint has seen {length:,}, so it was changed since; "
                    "bring it back, or begin anew with --overwrite."
                )
            self._file.truncate(length)
            self._file.seek(length)
        self.length = length

    def write(self, content: bytes) -> None:
        self._waiting.append(content)
        self._n_waiting += len(content)
        self.length += len(content)
        if self._n_waiting >= FLUSHED_AT:
            self._flush()

    def _flush(self) -> None:
        rest = memoryview(b"".join(self._waiting))
        self._waiting, self._n_waiting = [], 0
        with self._by_its_name():
            while rest:
                rest = rest[self._file.write(rest) :]

    def sync(self) -> None:
        """All of it, to the disk."""
        self._flush()
        with self._by_its_name():
            os.fsync(self._file.fileno())
        if self._is_new:
            sync_folder(self.path.absolute())
            self._is_new = False

    @contextlib.contextmanager
    def _by_its_name(self) -> Iterator[None]:
        """What the system says of the file comes with its name."""
        try:
            yield
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(self.path)) from error

    def close(self) -> None:
        """Without what waits: whoever wants it kept syncs before."""
        self._file.close()


def check_ours(path: Path, header: bytes) -> None:
    """Refuse to begin a file anew that no run has begun, as far as its first bytes tell."""
    with contextlib.suppress(FileNotFoundError), open(path, "rb") as file:
        first = file.read(len(header))
        if not header.startswith(first):
            raise ValueError(f"{path} is there already, and no run has written it; --overwrite replaces it.")
