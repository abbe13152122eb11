"""The compiled code of a function, which is found again by the types that it is for.

Code for types of this package alone is the same whatever else a process has loaded, and every process finds it in one
place. Code for a type from outside, such as a learner of your own, is kept in a folder that is named by the files of
such types as well (cache.py), or not at all where one has no file. So who edits a part of their own compiles what has
that part in it once more, and nothing else.
"""

import contextlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from numba.core import types
from numba.core.caching import FunctionCache, NullCache

from kernelpick.core.numerics import cache
from kernelpick.core.numerics.interrupts import Uninterrupted

try:
    import fcntl
except ImportError:  # where there is none, two processes that save at the same moment may lose what one has compiled
    fcntl = None  # type: ignore[assignment]

try:
    from numba.core.runtime.nrt import rtsys
except ImportError:
    rtsys = None  # type: ignore[assignment]

_USED = ("_load_overload", "_guard_against_spurious_io_errors")
LIGHTLY = rtsys is not None and all(hasattr(FunctionCache, name) for name in _USED)
PLAIN = types.Number | types.Boolean | types.Array | types.NoneType  # which say nothing of where code comes from


class _OwnCode(FunctionCache):
    """Of functions and types of this package. Their machine code calls what LLVM is told of when Numba is imported, and
    what makes arrays, of which `initialize` tells it. Numba would first make ready all that it is able to compile, with
    half of SciPy, which takes a third of the time of a small trace; it still does so before it compiles."""

    def load_overload(self, signature: Any, target: Any) -> Any:
        rtsys.initialize(target)
        with self._guard_against_spurious_io_errors():  # type: ignore[no-untyped-call]
            return self._load_overload(signature, target)  # type: ignore[no-untyped-call]


class KeptCode:
    """In the place of Numba's cache of one function."""

    def __init__(self, function: Any) -> None:
        self._function = function
        self._ours = self._cache(from_outside=False)
        self.forget_outside()

    def _cache(self, from_outside: bool) -> Any:
        ours = self._function.__module__.partition(".")[0] == __name__.partition(".")[0]
        kind = _OwnCode if LIGHTLY and ours and not from_outside else FunctionCache
        with cache.used_for(self._function.__code__.co_filename, from_outside):
            return kind(self._function)  # type: ignore[no-untyped-call]

    def forget_outside(self) -> None:
        """Another module from outside is there: code that has something of these in it is kept elsewhere."""
        self._outside: Any = None

    def _for(self, signature: Any) -> Any:
        if not any(map(is_from_outside, getattr(signature, "args", signature))):
            return self._ours
        if self._outside is None:
            self._outside = self._cache(from_outside=True) if cache.is_kept() else NullCache()
        return self._outside

    def load_overload(self, signature: Any, target: Any) -> Any:
        with Uninterrupted():  # LLVM calls Python back
            return self._for(signature).load_overload(signature, target)

    def save_overload(self, signature: Any, code: Any) -> None:
        own = self._for(signature)
        with _alone(own.cache_path):
            own.save_overload(signature, code)

    @property
    def cache_path(self) -> str:
        return str(self._ours.cache_path)

    def flush(self) -> None:
        for own in filter(None, (self._ours, self._outside)):
            own.flush()


@contextlib.contextmanager
def _alone(folder: str | None) -> Iterator[None]:
    """No other process saves there meanwhile. Numba reads a list, adds an entry and writes it: of two at once, one
    entry is lost, or leads to the code of the other."""
    with contextlib.ExitStack() as held:
        if folder is not None and fcntl is not None:
            with contextlib.suppress(OSError):  # some disks know no locks
                Path(folder).mkdir(parents=True, exist_ok=True)
                fcntl.flock(held.enter_context((Path(folder) / "lock").open("w")), fcntl.LOCK_EX)
        yield


def is_from_outside(of: Any) -> bool:
    """Whether code for this type may have something in it that is not of this package; for what is not known, yes."""
    if hasattr(of, "instance_class") and cache.is_foreign(of.instance_class):
        return True
    if hasattr(of, "of"):  # held.py
        return is_from_outside(of.of)
    if hasattr(of, "calls"):  # sequences.py
        return any(is_from_outside(one) for gives, takes in of.calls for one in (gives, *takes))
    if isinstance(of, types.BaseTuple):
        parts: Iterable[Any] = of  # type: ignore[assignment]
        return any(map(is_from_outside, parts))
    return not isinstance(of, PLAIN)
