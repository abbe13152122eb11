"""`kernelpick inspect`: what a model holds, how it got there, and what its columns became."""

from pathlib import Path
from typing import Any

from kernelpick.estimator import load
from kernelpick.keyed import KeyedModels
from kernelpick.keyed.store import is_store
from kernelpick.streaming.exits import DONE
from kernelpick.streaming.facts import Section, sections
from kernelpick.streaming.facts_by_key import sections_by_key
from kernelpick.streaming.keyed import keys_like
from kernelpick.streaming.table import say


def inspect(options: Any) -> int:
    """The exit code."""
    path = Path(options.model)
    if not is_store(path) and options.key is not None:
        raise ValueError(f"{path} holds one model for all rows; leave --key out.")
    if is_store(path):
        with KeyedModels(path=path, reads_only=True) as models:
            return _told(options, *_of_keys(models, path, options.key))
    estimator = load(path)
    return _told(options, estimator, sections(estimator, path), path.name)


def _of_keys(models: KeyedModels, path: Path, key: str | None) -> tuple[Any, list[Section], str]:
    """All of them, or the one of a key, which may be a number."""
    if key is None:
        return None, sections_by_key(models, path), path.name
    for one in keys_like(key):
        if (model := models.get(one)) is not None:
            return model, sections(model, path, one), f"{path.name}, {key}"
    shown = ", ".join(map(str, models.keys()[:5]))
    raise ValueError(f"{path} has no model of the key {key}; there are {len(models):,} keys: {shown}, ...")


def _told(options: Any, estimator: Any, told: list[Section], name: str) -> int:
    if options.html is None:
        for section in told:
            _show(section)
        return DONE
    from kernelpick.streaming.page import page

    Path(options.html).write_text(page(estimator, name, told), encoding="utf-8")
    say(f"written: {options.html}")
    return DONE


def _show(section: Section) -> None:
    say(section.title)
    widths = [max(map(len, column)) for column in zip(*section.rows, strict=True)]
    for row in section.rows:
        cells = [cell.ljust(width) for cell, width in zip(row[:-1], widths, strict=False)]
        say("  " + "  ".join([*cells, row[-1]]).rstrip())
    say("")
