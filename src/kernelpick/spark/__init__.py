"""One model per key on Spark Structured Streaming; needs the extra kernelpick[spark] and Java 17 or later.

    rows of a key in a micro-batch -> in their order -> predicted, learned, asked, told -> predictions, its bytes

What a key's model becomes follows from the key's rows alone, so that a micro-batch which is run again comes to the same
bytes; Spark keeps them with its checkpoint.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__all__ = ["learn", "models", "session"]

if TYPE_CHECKING:
    from kernelpick.spark.learning import learn
    from kernelpick.spark.sessions import session
    from kernelpick.spark.states import models

# Imported when first used: Spark opens this package in processes that need little of it.
_HOMES = {"learn": "learning", "models": "states", "session": "sessions"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'kernelpick.spark' has no attribute {name!r}")
    return getattr(import_module(f"kernelpick.spark.{_HOMES[name]}"), name)
