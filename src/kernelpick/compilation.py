"""Compile with Numba, compose by type, and never run code from before an edit.

Numba keys its on-disk cache by the file of the *outer* function: after an edit in ``losses.py`` a cached loop of
``engine.py`` would go on running the old loss. So the cache lives in a folder named by a hash of all sources that
compiled code is made of; an edit in one of them means a new, empty folder.
"""

import contextlib
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast

import numba
from llvmlite import ir
from numba.core import config, types
from numba.extending import intrinsic, overload

F = TypeVar("F", bound=Callable[..., Any])

settings: Any = config  # its attributes are set at run time, so no type checker knows them
JIT = not settings.DISABLE_JIT
KEEP_SECONDS = 30 * 86400  # folders of other versions of the sources, unused for that long, are removed


# What compiled code is made of; pages, faces and readers can change without compiling anything again.
COMPILED = (
    "compilation.py", "core.py", "elementary.py", "engine.py", "kernels.py", "losses.py", "panels.py", "products.py",
    "registers.py", "scaling.py", "learners", "selectors", "spaces",
)  # fmt: skip


def sources_hash(package: Path = Path(__file__).parent) -> str:
    """A name for exactly these sources."""
    digest = hashlib.blake2b(digest_size=10)
    found = [path for name in COMPILED for path in ([*(package / name).rglob("*.py")] or [package / name])]
    for path in sorted(path for path in found if path.exists()):
        digest.update(str(path.relative_to(package)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


@cache
def cache_folder() -> Path:
    """Where compiled code is kept: under NUMBA_CACHE_DIR or the user's cache, else in a temporary folder."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    base = Path(settings.CACHE_DIR or home) / "kernelpick-compiled"
    folder = base / sources_hash()
    try:
        fresh = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        if fresh:
            _forget_old(base)
    except OSError:  # a read-only home: compile once a process, and still work
        folder = Path(tempfile.mkdtemp(prefix="kernelpick-compiled-"))
    return folder


def _forget_old(base: Path) -> None:
    for other in base.iterdir():
        with contextlib.suppress(OSError):
            if time.time() - other.stat().st_mtime > KEEP_SECONDS:
                shutil.rmtree(other)


@contextlib.contextmanager
def _our_cache() -> Iterator[None]:
    before = settings.CACHE_DIR
    settings.CACHE_DIR = str(cache_folder())
    try:
        yield
    finally:
        settings.CACHE_DIR = before


# No fast-math: the compiler may neither reorder a sum nor fuse a product into it, so that the bits that come out are
# those that the source says, in whichever function, process or chunk the code ends up. Fused operations and sums in
# lanes are written out where they are wanted (fma below, products.dot).
OPTIONS: dict[str, Any] = {"error_model": "numpy"}
WITHIN: Any = {**OPTIONS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}  # for what only compiled code calls


def compiled(function: F) -> F:
    """Compile a function that Python calls; it is cached as described above, with all that it calls."""
    if not JIT:
        return function
    with _our_cache():
        return numba.njit(cache=True, **OPTIONS)(function)  # type: ignore[no-any-return]


def inner(function: F) -> F:
    """Compile a function that only compiled code calls."""
    return numba.njit(**WITHIN)(function) if JIT else function  # type: ignore[no-any-return]


class Dispatched(Protocol):
    """What dispatch makes of a contract."""

    def __call__(self, *args: Any) -> Any: ...

    def register(self, cls: type) -> Callable[[F], F]: ...


def dispatch(contract: Callable[..., Any]) -> Dispatched:
    """A function whose implementation is chosen by the type of its first argument, a named tuple.

    Like :func:`functools.singledispatch`, and it works inside compiled code, where the choice is made while compiling
    and costs nothing. The decorated function states the contract; ``contract.register(Class)`` adds a row.
    """
    table: dict[type, Callable[..., Any]] = {}

    def call(part: Any, *args: Any) -> Any:
        return table[type(part)](part, *args)

    def register(cls: type) -> Callable[[F], F]:
        def add(function: F) -> F:
            table[cls] = function
            return function

        return add

    if JIT:

        @overload(call, strict=False, jit_options=WITHIN)
        def choose(part: Any, *args: Any) -> Any:
            return table.get(getattr(part, "instance_class", type(None)))

    call.__name__, call.__doc__ = contract.__name__, contract.__doc__
    call.register = register  # type: ignore[attr-defined]
    return cast(Dispatched, call)


def fma(a: float, b: float, c: float) -> float:
    """a * b + c, in compiled code with one rounding."""
    return a * b + c


def power_of_two(n: float) -> float:
    """2**n for an integral float n in -1022 .. 1023."""
    return float(2.0**n)


if JIT:

    @intrinsic
    def _fma(typing_context, a, b, c):  # type: ignore[no-untyped-def]
        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            return builder.fma(*args)

        return types.float64(types.float64, types.float64, types.float64), generate

    @intrinsic
    def _power_of_two(typing_context, n):  # type: ignore[no-untyped-def]
        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            bits, double = ir.IntType(64), ir.DoubleType()
            # Adding 1.5 * 2**52 puts the integer n + 1023 into the low bits; shifted, they are the exponent.
            shifted = builder.fadd(args[0], ir.Constant(double, 1.5 * 2.0**52 + 1023))
            exponent = builder.shl(builder.bitcast(shifted, bits), ir.Constant(bits, 52))
            return builder.bitcast(exponent, double)

        return types.float64(types.float64), generate

    fma, power_of_two = _fma, _power_of_two  # type: ignore[assignment]
