"""Times of a round as people write them: numbers of seconds, or words such as "50us"."""

import math
import re
from typing import Any

from kernelpick.core.messages import is_number

UNITS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1.0, "": 1.0}  # two letters mu
WRITTEN = re.compile(rf"(\d+(?:\.\d*)?(?:e[-+]?\d+)?)\s*({'|'.join(UNITS)})")


def seconds(given: Any, name: str = "time_budget") -> float:
    """
    >>> seconds("50us"), seconds("1 ms"), seconds(2e-4)
    (5e-05, 0.001, 0.0002)
    """
    found = WRITTEN.fullmatch(given.strip()) if isinstance(given, str) else None
    value = float(found[1]) * UNITS[found[2]] if found else given
    if not (is_number(value) and math.isfinite(value) and value > 0):
        raise ValueError(
            f"{name} is a time above 0: a number of seconds, or a text such as '50us', '1ms', not {given!r}."
        )
    return float(f"{value:.12g}")  # 50 * 1e-6 is not 5e-05


def words(time: float) -> str:
    """
    >>> words(5e-05), words(0.0123), words(1.5)
    ('50 us', '12.3 ms', '1.5 s')
    """
    unit = next((name for name in ("s", "ms", "us") if time >= UNITS[name]), "us")
    return f"{time / UNITS[unit]:.3g} {unit}"


def rounded_up(time: float) -> str:
    """Two digits, of which none promises too much.

    >>> rounded_up(4.31e-05)
    '44us'
    """
    unit = next((name for name in ("s", "ms", "us") if time >= UNITS[name]), "ns")
    number = time / UNITS[unit]
    step = 10.0 ** (math.floor(math.log10(number)) - 1)
    return f"{math.ceil(number / step - 1e-9) * step:g}{unit}"
