"""The file of a saved model: a JSON header and raw arrays, sealed by a checksum. docs/file-format.md describes it.

Reading it can't run code: there is no pickle, the header names one of the classes that have registered themselves, and
all sizes are checked. This file knows none of them.
"""

import hashlib
import json
import os
import struct
from collections.abc import Callable
from importlib import import_module
from math import prod
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from kernelpick.files import metadata
from kernelpick.files.values import unknown

MAGIC = b"\x93KPICK\r\n"
BY_KEY = b"SQLite format 3\0"  # how files of KeyedModels begin
VERSION = 5
START = struct.Struct("<8sIQ")  # magic, version, length of the header
ALIGNMENT = 64
PADDING = bytes(ALIGNMENT)
SEAL = 32  # bytes of the checksum at the end
DTYPES: dict[str, np.dtype[Any]] = {name: np.dtype(name) for name in ("<f8", "<i8", "<f4", "<i2", "|u1")}
NATIVE = {name: dtype.newbyteorder("=") for name, dtype in DTYPES.items()}
NAMES = {dtype: name for name, dtype in NATIVE.items()}

C = TypeVar("C", bound=type)
Packed = tuple[dict[str, Any], dict[str, np.ndarray]]  # header and arrays
FACES: dict[str, type] = {}  # the classes that can be saved, by the name that a file has for them: "library.Class"
PACKAGES: dict[str, str] = {}  # where those of a library register themselves, imported when a file asks for one


class ModelFileError(ValueError):
    """A file that holds no model, or one that was cut or altered."""


def package(library: str, module: str) -> None:
    """Say which module registers the classes that are made for a library."""
    PACKAGES[library] = module


def register(name: str) -> Callable[[C], C]:
    """Decorates a class with ``_pack``, ``_unpack`` and ``metadata``: files know it by that name."""

    def add(cls: C) -> C:
        FACES[name] = cls
        return cls

    return add


def snapshot(estimator: Any) -> Packed:
    """An estimator as it is now, header and arrays copied: what is learned from now on does not change them."""
    with estimator._guard:  # between two pieces of learning
        header, arrays = _packed(estimator)
        return header, {name: array.copy() for name, array in arrays.items()}


def _packed(estimator: Any) -> Packed:
    """For whoever holds the guard: header, and the arrays of the model itself."""
    face = next((name for name, cls in FACES.items() if cls is type(estimator)), None)
    if face is None:
        raise TypeError(f"{type(estimator).__name__} can't be saved: only the estimators of kernelpick themselves can.")
    header, arrays = estimator._pack()
    return {"face": face, "metadata": metadata.checked(estimator.metadata), **header}, arrays


def to_bytes(estimator: Any) -> bytes:
    """What a file of this estimator would hold."""
    with estimator._guard:
        return seal(*_packed(estimator))


def load(path: str | os.PathLike[str]) -> Any:
    """Read a model that was written by its ``save`` method.

    >>> import kernelpick, numpy as np, os, tempfile
    >>> model = kernelpick.KernelRegressor(random_state=0).fit(np.arange(50.0)[:, None], np.arange(50.0))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "model.kpick")
    ...     model.save(path)
    ...     bool((kernelpick.load(path).predict([[7.0]]) == model.predict([[7.0]])).all())
    True
    """
    try:
        return from_bytes(Path(path).read_bytes())
    except (ModelFileError, ModuleNotFoundError) as error:
        raise type(error)(f"{os.fspath(path)}: {error}") from error.__cause__


def from_bytes(content: bytes) -> Any:
    """The model in the bytes of a file, as its ``to_bytes`` method gives them.

    >>> import kernelpick
    >>> kernelpick.from_bytes(kernelpick.KernelRegressor(radius=3.0).to_bytes()).radius
    3.0
    """
    if not isinstance(content, bytes | bytearray | memoryview):
        raise TypeError(f"from_bytes takes what to_bytes gave, not {type(content).__name__}; load takes a path.")
    header, arrays = unseal(bytes(content))
    _check_foreign(header)
    try:
        estimator = _face(header["face"])._unpack(header, arrays)
        estimator.metadata = header.get("metadata", {})
        return estimator
    except (
        KeyError,
        ValueError,
        TypeError,
        AttributeError,
        IndexError,
        ArithmeticError,
        RecursionError,
        MemoryError,
    ) as error:
        raise ModelFileError(f"the parts of this file do not make a model ({error}); save it again.") from error


def _check_foreign(header: dict[str, Any]) -> None:
    """Refuse a model of parts that come from outside the package, until all of them are there."""
    try:
        missing = unknown(header.get("foreign", ()))
    except (AttributeError, KeyError, ValueError, TypeError) as error:
        raise ModelFileError(f"the parts from outside kernelpick that this file names are none ({error}).") from error
    if missing:
        raise ModelFileError(
            f"this model is made of parts from outside kernelpick that are not known here: {', '.join(missing)}; "
            "import the module that declares and registers them, then load it again."
        )


def _face(name: str) -> Any:
    """The class that a file was written for."""
    library = name.partition(".")[0]
    if name not in FACES and library in PACKAGES:
        try:
            import_module(PACKAGES[library])
        except ModuleNotFoundError as error:
            if error.name != library:
                raise
            raise ModuleNotFoundError(
                f"this file holds a model for {library}, which is not installed: pip install 'kernelpick[{library}]'.",
                name=library,
            ) from error
    return FACES[name]


def seal(header: dict[str, Any], arrays: dict[str, np.ndarray]) -> bytes:
    """The bytes of a file."""
    table, offset = [], 0
    pieces: list[Any] = [b"", b""]  # the start and the header, when the places of arrays are known
    for name, array in arrays.items():
        dtype = NAMES.get(array.dtype) or array.dtype.newbyteorder("<").str
        if dtype not in DTYPES:
            raise TypeError(f"The array {name} has type {array.dtype}, which the format does not have.")
        table.append([name, dtype, array.shape, offset])
        padding = -array.nbytes % ALIGNMENT
        pieces += [np.asarray(array, DTYPES[dtype]).tobytes(), PADDING[:padding]]
        offset += array.nbytes + padding
    text = json.dumps({**header, "arrays": table}, allow_nan=False, separators=(",", ":")).encode()
    text += b" " * (-(START.size + len(text)) % ALIGNMENT)
    pieces[:2] = START.pack(MAGIC, VERSION, len(text)), text
    body = b"".join(pieces)
    return body + _checksum(body, VERSION)


def unseal(content: bytes) -> Packed:
    """Header and arrays of a file, if it is whole."""
    if content[: len(BY_KEY)] == BY_KEY:
        raise ModelFileError("this file holds one model per key: kernelpick.KeyedModels(path=...) opens it.")
    if len(content) < START.size + SEAL or content[: len(MAGIC)] != MAGIC:
        raise ModelFileError("this is not a file that kernelpick has saved, or it was cut.")
    _, version, length = START.unpack_from(content)
    if version > VERSION:
        raise ModelFileError(f"this file has format {version}; a later version of kernelpick reads it.")
    body = memoryview(content)[:-SEAL]
    if _checksum(body, version) != content[-SEAL:]:
        raise ModelFileError("the checksum is wrong: this file was cut or altered; take another copy.")
    try:
        header = json.loads(bytes(body[START.size : START.size + length]))
        data = body[START.size + length :]
        return header, {name: _array(data, *place) for name, *place in header["arrays"]}
    except (KeyError, ValueError, TypeError, IndexError, OverflowError, RecursionError) as error:
        raise ModelFileError(f"the header does not describe this file ({error}).") from error


def _checksum(body: Any, version: int) -> bytes:
    """Since format 5 that for which processors have instructions: of a small model it was a third of the work."""
    if version < 5:
        return hashlib.blake2b(body, digest_size=SEAL).digest()
    return hashlib.sha256(body, usedforsecurity=False).digest()


def _array(data: memoryview, dtype: str, shape: list[int], offset: int) -> np.ndarray:
    """A copy of one array; its size is compared with that of the file before anything is allocated."""
    kind, sizes = DTYPES[dtype], (*shape, offset)
    if not all(type(size) is int and 0 <= size < 2**48 for size in sizes):
        raise ValueError(f"{sizes!r} are no sizes")
    count = prod(shape)
    if len(shape) > 8 or offset + count * kind.itemsize > len(data):
        raise ValueError("an array lies beyond the end")
    stored = np.ndarray(shape, kind, data, offset) if count else np.empty(shape, kind)
    return stored.astype(NATIVE[dtype])
