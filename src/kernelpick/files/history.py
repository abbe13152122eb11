"""What a model thought, as JSON and back: sets of kernels once each, and entries that point at theirs."""

from collections.abc import Iterable
from math import isfinite
from typing import Any

from kernelpick.core.kernels import Kernel
from kernelpick.files.checks import counter
from kernelpick.files.values import decode, encode
from kernelpick.online.history import MOST, WHY, History, entry


def pack(history: History) -> dict[str, Any]:
    sets: list[tuple[Kernel, ...]] = []
    told = []
    for one in history.entries:
        if not sets or sets[-1] is not one.kernels:  # usually they stay for long
            sets += [one.kernels] * (one.kernels not in sets)
        place = sets.index(one.kernels)
        told.append([one.round, one.why, place, one.leader, _numbers(one.losses), *_numbers((one.error, one.coverage))])
    return {"kernels": [encode(list(kernels)) for kernels in sets], "entries": told}


def _numbers(values: Iterable[float]) -> list[Any]:
    """As `encode` has them, which would look at each for longer."""
    return [value if isfinite(value) else encode(value) for value in values]


def unpack(about: dict[str, Any] | None, most: int = MOST) -> History:
    """Empty for files of earlier versions. Refused is what can't have been."""
    history = History(most)
    if about is None:
        return history
    sets = [tuple(kernels) for kernels in decode(about["kernels"])]
    if not all(isinstance(kernel, Kernel) for kernels in sets for kernel in kernels):
        raise ValueError("the history has kernels that are none")
    entries, before = about["entries"], 0
    if len(entries) > most:
        raise ValueError("the history is too long")
    for round, why, place, leader, losses, error, coverage in entries:
        kernels = sets[counter(place, len(sets) - 1)]
        losses, error, coverage = decode(losses), decode(error), decode(coverage)
        sound = before < counter(round) and why in WHY and len(losses) == len(kernels)
        if not sound or not all(isinstance(number, float) for number in (*losses, error, coverage)):
            raise ValueError("the history has an entry that can't be")
        history.entries.append(entry(round, why, kernels, counter(leader, len(kernels) - 1), losses, error, coverage))
        before = round
    return history
