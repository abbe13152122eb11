"""What there is to do: the cases of a stream, its plays and its comparators."""

from __future__ import annotations

from typing import NamedTuple

from kernelpick.core.algorithms import ALGORITHMS
from kernelpick.core.losses import LOSSES
from kernelpick.core.messages import whole
from kernelpick.lab.regret.entrants import IN_A_BALL, SWEPT, Entrant
from kernelpick.lab.regret.plays import Case, Play
from kernelpick.lab.regret.rivals import Rival
from kernelpick.lab.regret.streams import NamedStream
from kernelpick.lab.running.names import by_commas

ARMS, FEATURES = 6, 100  # where they are not what varies
HORIZONS, MADE_UP_HORIZONS = (500, 1_000, 2_000, 4_000, 8_000, 16_000), (250, 500, 1_000, 2_000, 4_000)
FEW_SEEDS = 5
LONGEST_SWEEP, LONGEST_MADE_UP_SWEEP = 2_000, 500


class Premises(NamedTuple):
    """What the cases of a stream have in common."""

    stream: NamedStream
    loss: str
    radius: float | None = None  # None: each entrant has its own


class StreamPlan(NamedTuple):
    """All that is measured on one stream."""

    entrants: tuple[Entrant, ...]
    horizons: tuple[Case, ...]
    kernels: tuple[Case, ...]
    features: tuple[Case, ...]
    repeats: int

    def entrants_of(self, case: Case) -> tuple[Entrant, ...]:
        """All of them; only those that are swept where the number of features is what varies."""
        if case in self.horizons or case in self.kernels:
            return self.entrants
        return self.swept

    @property
    def swept(self) -> tuple[Entrant, ...]:
        """Those that are played with several numbers of features."""
        return tuple(one for one in self.entrants if one.name in SWEPT)

    @property
    def cases(self) -> tuple[Case, ...]:
        return tuple(dict.fromkeys((*self.horizons, *self.kernels, *self.features)))

    def plays(self) -> list[Play]:
        return [
            Play(case, entrant, seed)
            for case in self.cases
            for entrant in self.entrants_of(case)
            for seed in range(self.seeds(case))
        ]

    def seeds(self, case: Case) -> int:
        """Many features take long, and hardly differ from seed to seed."""
        return self.repeats if case in self.horizons or case in self.kernels else min(self.repeats, FEW_SEEDS)

    def rivals(self) -> list[Rival]:
        """Each once: cases that differ in the features alone have the same balls."""
        balls = [rival for case in self.cases for one in self.entrants_of(case) for rival in balls_of(case, one)]
        boxes = [rival for case in self.horizons for one in self.entrants for rival in boxes_of(case, one)]
        return list(dict.fromkeys([*balls, *boxes]))


def balls_of(case: Case, entrant: Entrant) -> list[Rival]:
    """The comparators of an entrant, one of each kernel in its own space."""
    problem, radius = (case.stream, case.loss, case.horizon, case.kernels), case.radius_of(entrant)
    return [Rival(*problem, arm, radius) for arm in range(case.kernels)]


def boxes_of(case: Case, entrant: Entrant) -> list[Rival]:
    """Those in the features, for whom Theorems 4 and 5 compare with weights in a box."""
    if ALGORITHMS[entrant.algorithm].space.name != "features" or entrant.algorithm in IN_A_BALL:
        return []
    return [rival._replace(features=case.features) for rival in balls_of(case, entrant)]


def planned(premises: Premises, entrants: list[Entrant], repeats: int, lists: dict[str, str]) -> StreamPlan:
    """From the lists by commas of the command line."""
    stream = premises.stream
    horizons = _numbers("--horizons", lists["horizons"]) or (MADE_UP_HORIZONS if stream.made_up else HORIZONS)
    for horizon in horizons:
        if stream.longest is not None and horizon > stream.longest and lists["horizons"]:
            raise ValueError(f"{stream.name} has {stream.longest:,} rows, so --horizons can't be {horizon:,}.")
    horizons = tuple(horizon for horizon in horizons if stream.longest is None or horizon <= stream.longest)
    longest = LONGEST_MADE_UP_SWEEP if stream.made_up else LONGEST_SWEEP
    swept = max((horizon for horizon in horizons if horizon <= longest), default=min(horizons))

    def case(horizon: int = swept, kernels: int = ARMS, features: int = FEATURES) -> Case:
        return Case(stream, premises.loss, horizon, kernels, features, premises.radius)

    return StreamPlan(
        tuple(entrants),
        tuple(case(horizon=horizon) for horizon in horizons),
        tuple(case(kernels=count) for count in _numbers("--kernels", lists["kernels"])),
        tuple(case(features=count) for count in _numbers("--features", lists["features"])),
        repeats,
    )


def _numbers(name: str, text: str) -> tuple[int, ...]:
    """Ascending."""
    given = by_commas(text)
    for one in given:
        if not one.isdigit():
            raise ValueError(f"{name} are whole numbers by commas, and {one!r} is none.")
    return tuple(sorted({whole(name, int(one), 2) for one in given}))


def seconds(task: Play | Rival) -> float:
    """A rough guess, to begin with the longest and to tell the time left."""
    if isinstance(task, Rival):
        return 0.02 + (6e-8 * task.horizon**2 if not task.features else 2e-6 * task.horizon * task.features)
    case, row = task.case, ALGORITHMS[task.entrant.algorithm]
    each = 60e-6 if row.fits or row.learner.name == "newton" else 5e-6 + 5e-8 * case.features
    return 0.005 + case.horizon * each


def check_loss(name: str, stream: NamedStream) -> None:
    """Refuse a loss of labels for numbers, or the other way round."""
    classifies = LOSSES[stream.usual_loss].classifies
    if LOSSES[name].classifies != classifies:
        kin = ", ".join(one.name for one in LOSSES.values() if one.classifies == classifies)
        raise ValueError(f"The {name} loss is not for {stream.name}: take one of {kin}.")
