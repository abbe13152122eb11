"""Class labels as they are written in files, turned into numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache

from kernelpick.files.text import number, short


def coder(labels: Mapping[str, float] | None) -> Callable[[str], float]:
    """The function from the text of a target to its number, NaN where it is none of `labels`.

    Labels that are numbers are compared as numbers: `1`, `+1` and `1.000e+00` are one label. Without labels every
    number stands for itself.
    """
    if labels is None:
        return number
    by_value = {number(name): code for name, code in labels.items() if math.isfinite(number(name))}

    @cache
    def code(text: str) -> float:
        name = text.strip(" \t\r\n'\"")
        return labels.get(name, by_value.get(number(name), math.nan))

    return code


def unknown(text: str, labels: Mapping[str, float] | None) -> str:
    """What to say of a target for which the coder has no number."""
    if labels is None:
        return f"the target {short(text)} is not a finite number"
    return f"the label {short(text)} is none of {', '.join(labels)}"
