"""LIBSVM text: a label, then index:value pairs with rising indices from 1; what is not named is zero."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Mapping

import numpy as np

from kernelpick.files import text
from kernelpick.files.errors import DataError
from kernelpick.files.labels import coder, unknown
from kernelpick.files.text import Floats, Lines, Source


def records(path: Source) -> Lines:
    """Number and text of the lines that hold rows, without comments."""
    stripped = ((line, row.partition("#")[0]) for line, row in text.lines(path))
    return ((line, row) for line, row in stripped if row.strip())


def read(
    path: Source,
    *,
    features: int | None = None,
    labels: Mapping[str, float] | None = None,
    rows: int | None = None,
    first: int | None = None,
) -> tuple[Floats, Floats]:
    """Inputs (dense) and targets of a LIBSVM text file, plain or gzip.

    `features` is the width; without it the largest index is. The other arguments are those of `csv.read`.
    """
    code = coder(labels)

    def parse(rows: Iterable[str]) -> tuple[Floats, Floats]:
        from sklearn.datasets import load_svmlight_file

        content = "\n".join(rows).encode("latin-1")
        if b"_" in content:
            raise ValueError("an underscore")  # scikit-learn would take 1_0 for 10
        inputs, targets = load_svmlight_file(io.BytesIO(content), n_features=features, zero_based=False)
        values, where = np.unique(targets, return_inverse=True)
        try:
            return inputs.toarray(), np.array([code(repr(float(value))) for value in values])[where]
        except MemoryError as problem:
            size = f"{inputs.shape[0]:,} rows of {inputs.shape[1]:,} features do not fit into memory"
            raise DataError(f"{path}: {size}; is the largest index right?") from problem

    def fault(row: str) -> str | None:
        label, *pairs = (word.decode("latin-1") for word in row.encode("latin-1").split())  # at ASCII blanks alone
        if not math.isfinite(code(label)):
            return unknown(label, labels)
        previous = 0
        for pair in pairs:
            name, colon, value = pair.partition(":")
            if not (colon and name.isascii() and name.isdigit()):
                return f"{text.short(pair)} is no pair index:value"
            index = int(name)
            if index <= previous:
                return f"the index {index} follows {previous}, but indices start at 1 and rise"
            if features is not None and index > features:
                return f"the index {index} is larger than the number of features, {features}"
            if not math.isfinite(text.number(value)):
                return f"the value {text.short(value)} of index {index} is not a finite number"
            previous = index
        return None

    return text.read(path, records, parse, fault, rows, first)
