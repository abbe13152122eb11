"""What learn can be told beside the columns and the model."""

import datetime
from typing import Any, NamedTuple

from kernelpick.core.messages import choice, positive
from kernelpick.online.coverage import checked_confidence

ON_ERROR = ("raise", "skip")


class Options(NamedTuple):
    """See learn."""

    inputs: Any = None
    classes: Any = None
    interval: float | None = 0.9
    timeout: Any = None
    ttl: Any = None
    on_error: str = "raise"
    prior_weight: float = 32.0


def checked(given: dict[str, Any]) -> Options:
    for name in given:
        choice("option of kernelpick.spark.learn", name, Options._fields)
    options = Options(**given)
    choice("on_error", options.on_error, ON_ERROR)
    if options.interval is not None:
        checked_confidence(options.interval)
    for name in ("timeout", "ttl"):
        span = getattr(options, name)
        if span is not None:
            positive(name, seconds(span))
    return options


def seconds(span: Any) -> Any:
    """Of a timedelta; numbers are what they are."""
    return span.total_seconds() if isinstance(span, datetime.timedelta) else span
