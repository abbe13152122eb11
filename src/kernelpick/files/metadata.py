"""What users keep with their model: JSON of their own, checked, so that it comes back as it was."""

import math
from typing import Any

KINDS = "give strings, finite numbers, None, and lists and dicts of these."


def checked(value: Any) -> dict[str, Any]:
    """A copy of a dict of JSON; refused is what would not come back as it was, by its place."""
    if not isinstance(value, dict):
        raise ValueError(f"metadata must be a dict, not {value!r}.")
    try:
        return _copied(value, "metadata")  # type: ignore[no-any-return]
    except RecursionError:
        raise ValueError("metadata is too deep, or holds itself, which JSON can't; keep it flat.") from None


def _copied(value: Any, where: str) -> Any:
    if value is None or isinstance(value, bool | int | str) or (isinstance(value, float) and math.isfinite(value)):
        return value
    if isinstance(value, list):
        return [_copied(item, f"{where}[{place}]") for place, item in enumerate(value)]
    if not isinstance(value, dict):
        raise ValueError(f"{where} is {value!r}, which JSON does not have: {KINDS}")
    for key in value:
        if not isinstance(key, str):
            raise ValueError(f"{where} has the key {key!r}, and keys of JSON are strings: write {str(key)!r}.")
    return {key: _copied(item, f"{where}[{key!r}]") for key, item in value.items()}
