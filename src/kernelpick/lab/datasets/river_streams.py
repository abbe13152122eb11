"""Streams that come with River: its synthetic ones, and the data files in its package."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib.util import find_spec
from inspect import signature
from numbers import Real
from typing import Any

import numpy as np

from kernelpick.core.messages import choice
from kernelpick.files.errors import DataError
from kernelpick.files.text import Floats

PREFIX = "river:"
ALL = "river:streams"  # stands for the table below
ROWS = 20_000  # of a synthetic stream, which has no end
MIDDLE = ROWS // 2
QUARTERS, THIRDS = (5_000, 10_000, 15_000), (7_000, 14_000)


def _changing(kind: str, first: Mapping[str, Any], second: Mapping[str, Any]) -> Callable[[Any], Any]:
    """One concept, and another after the middle: for about a thousand rows, each row is of the one or the other."""

    def build(synth: Any) -> Any:
        concept = getattr(synth, kind)
        return synth.ConceptDriftStream(
            concept(**first, seed=42), concept(**second, seed=43), position=MIDDLE, width=1_000, seed=42
        )

    return build


# Twelve kinds of change and of stillness, each with its seeds; River's defaults would be without a change.
STREAMS: dict[str, Callable[[Any], Any]] = {
    "RandomRBFDrift": lambda synth: synth.RandomRBFDrift(seed_model=42, seed_sample=42, change_speed=0.001),
    "Hyperplane": lambda synth: synth.Hyperplane(seed=42, n_drift_features=5, mag_change=0.001),
    "SEA": _changing("SEA", {"variant": 0, "noise": 0.1}, {"variant": 3, "noise": 0.1}),
    "Sine": _changing("Sine", {"classification_function": 0}, {"classification_function": 1}),
    "Agrawal": _changing("Agrawal", {"classification_function": 0}, {"classification_function": 4}),
    "LEDDrift": lambda synth: synth.LEDDrift(
        seed=42, noise_percentage=0.1, irrelevant_features=True, n_drift_features=4
    ),
    "Waveform": lambda synth: synth.Waveform(seed=42, has_noise=True),
    "FriedmanDrift-lea": lambda synth: synth.FriedmanDrift("lea", QUARTERS, seed=42),
    "FriedmanDrift-gra": lambda synth: synth.FriedmanDrift("gra", THIRDS, seed=42),
    "FriedmanDrift-gsg": lambda synth: synth.FriedmanDrift("gsg", THIRDS, transition_window=2_000, seed=42),
    "Mv": lambda synth: synth.Mv(seed=42),
    "Planes2D": lambda synth: synth.Planes2D(seed=42),
}


def is_river(name: str) -> bool:
    """Whether a name means a stream of River."""
    return name.startswith(PREFIX)


def read(name: str, rows: int | None = None) -> tuple[Floats, list[Any]]:
    """Rows and targets of a stream; of a synthetic one 20,000, or as many as are wanted if that is more.

    Targets that are classes are texts. A column of texts becomes columns of zeros and ones, one for each text; one
    alone where there are but two texts.
    """
    if find_spec("river") is None:
        raise DataError(f"{name} needs River: install it with pip install river.")
    from river.datasets import base

    stream = _built(name.removeprefix(PREFIX))
    if isinstance(stream, base.RemoteDataset) and not stream.is_downloaded:
        kind = type(stream).__name__
        told = f"bring it with python -c 'from river import datasets; datasets.{kind}().download()'"
        raise DataError(f"{name} does not come with River: {told}.")
    if stream.n_outputs is not None and stream.n_outputs > 1:
        raise DataError(f"{name} has {stream.n_outputs} targets in each row, and one is needed; name another stream.")
    pairs = list(stream.take(max(rows or 0, ROWS)) if isinstance(stream, base.SyntheticDataset) else stream)
    columns = {column: [x.get(column) for x, _ in pairs] for column in pairs[0][0]}
    X = np.column_stack([part for column, values in columns.items() for part in _numbers(name, column, values)])
    return X, [str(y) if "classification" in stream.task else float(y) for _, y in pairs]


def _built(name: str) -> Any:
    from river import datasets
    from river.datasets import synth

    if name in STREAMS:
        return STREAMS[name](synth)
    plain = {kind: one for room in (synth, datasets) for kind, one in vars(room).items() if isinstance(one, type)}
    del plain["ConceptDriftStream"]  # which is made of two others
    kind = plain[choice("stream of River", name, [*STREAMS, *sorted(plain)])]
    seeds = [seed for seed in ("seed", "seed_model", "seed_sample") if seed in signature(kind).parameters]
    return kind(**dict.fromkeys(seeds, 42))


def _numbers(name: str, column: object, values: list[Any]) -> Iterable[Floats]:
    if all(isinstance(value, Real) for value in values):
        return [np.array(values, dtype=np.float64)]
    if not all(isinstance(value, str) for value in values):
        found = next(value for value in values if not isinstance(value, Real | str))
        raise DataError(
            f"{name}: the column {column!r} holds {found!r}, which is no number or text; name another stream."
        )
    kinds = sorted(set(values))
    return [np.array([value == kind for value in values], dtype=np.float64) for kind in kinds[len(kinds) == 2 :]]
