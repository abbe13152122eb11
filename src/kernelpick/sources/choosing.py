"""Which columns of a source are used: the target, and the inputs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from kernelpick.files.errors import DataError
from kernelpick.sources.source import Source


@dataclass(frozen=True)
class Choice:
    """The target, what is dropped or kept of the others, and the key, where there is one."""

    target: str
    drop: frozenset[str] = frozenset()
    keep: frozenset[str] | None = None
    key: str | None = None  # whose values part the rows into streams of their own

    def inputs(self, names: Iterable[str]) -> list[str]:
        """Those of the names that are inputs.

        >>> Choice("price", drop=frozenset({"id"})).inputs(["id", "city", "price"])
        ['city']
        """
        wanted = (name for name in names if name not in (self.target, self.key) and name not in self.drop)
        return [name for name in wanted if self.keep is None or name in self.keep]


def choose(
    source: Source,
    target: str | None,
    drop: Sequence[str] | None = None,
    keep: Sequence[str] | None = None,
    key: str | None = None,
) -> Choice:
    """What the command line says, checked: names, or numbers from 1; lists of them are by commas.

    Without a target it is the column that the format calls so, or else the last one.
    """
    if source.label is not None and target not in (None, source.label):
        raise DataError(f"{source.name} is in a format that has its target first; leave --target out.")
    chosen = source.label or (source.names[-1] if target is None else _named(source, target, "--target"))
    dropped = frozenset(_listed(source, drop, "--drop"))
    kept = frozenset(_listed(source, keep, "--keep")) if keep else None
    if chosen in dropped:
        raise DataError(f"--drop names {chosen!r}, which is the target; name another one by --target.")
    parted = None if key is None else _named(source, key, "--key")
    if parted == chosen:
        raise DataError(f"--key names {chosen!r}, which is the target; name another column.")
    choice = Choice(chosen, dropped, kept, parted)
    if source.label is None and not choice.inputs(source.names):
        raise DataError(f"{source.name}: no column is left to learn from beside the target {chosen!r}.")
    return choice


def _listed(source: Source, lists: Sequence[str] | None, option: str) -> list[str]:
    """Names by commas; one that has a comma itself is found as a whole."""
    found = []
    for text in lists or ():
        whole = [text] if text in source.names else text.split(",")
        found += [_named(source, name.strip(), option) for name in whole if name.strip()]
    return found


def _named(source: Source, name: str, option: str) -> str:
    if name in source.names or source.label is not None:
        return name
    if name.isdecimal() and 0 < int(name) <= len(source.names):
        return source.names[int(name) - 1]
    near = get_close_matches(name, source.names, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    shown = ", ".join(source.names[:20]) + (", ..." if len(source.names) > 20 else "")
    raise DataError(f"{source.name} has no column {name!r} for {option}.{hint} Its columns are {shown}.")
