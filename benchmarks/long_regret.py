"""Regret beside its bound where T is far larger than a comparator can be solved for: python benchmarks/long_regret.py.

On these made-up streams the best hypothesis loses nothing, or next to nothing, so that what is lost is the regret, or
a little more. With random features a round costs the same however many there were. Prints a table for docs/regret.md:
the ratio of regret to bound at each T, and the local slope, that between T/4 and T.
"""

import math
from collections.abc import Iterator
from statistics import fmean

from kernelpick.core.losses import LOSSES
from kernelpick.lab.regret.entrants import Entrant
from kernelpick.lab.regret.plays import Case, Play, play_out
from kernelpick.lab.regret.streams import NamedStream
from kernelpick.lab.regret.table import number
from kernelpick.lab.regret.theory import Conditions, remark_1, theorem_3

STREAMS = ("planted", "misfits", "constant")
BOUNDS = {"rf-oks s=1": remark_1, "rf-ioks": theorem_3, "rf-ioks published": theorem_3}  # of the exact algorithms
HORIZONS = (1_000, 4_000, 16_000, 64_000, 256_000, 1_024_000)
ARMS, FEATURES, SEEDS = 6, 100, 3


def lost(stream: str, name: str, horizon: int) -> float:
    """Summed over the rounds, mean over the seeds."""
    case, entrant = Case(NamedStream(stream), "square", horizon, ARMS, FEATURES), Entrant(name, name.split()[0])
    return fmean(play_out(Play(case, entrant, seed)).total for seed in range(SEEDS))


def rows() -> Iterator[list[str]]:
    yield ["stream", "algorithm", "", *(f"T = {horizon:,}" for horizon in HORIZONS)]
    for stream in STREAMS:
        for name, bound in BOUNDS.items():
            regrets = [lost(stream, name, horizon) for horizon in HORIZONS]
            bounds = [bound(Conditions(LOSSES["square"], 1.0, T, 0.0, [0.0] * ARMS, FEATURES)) for T in HORIZONS]
            ratios = [regret / bound for regret, bound in zip(regrets, bounds, strict=True)]
            pairs = zip(regrets, regrets[1:], HORIZONS, HORIZONS[1:], strict=False)
            slopes = [math.log(later / before) / math.log(T / t) for before, later, t, T in pairs]
            yield [stream, name, "regret", *(number(regret) for regret in regrets)]
            yield ["", "", "ratio", *(number(ratio) for ratio in ratios)]
            yield ["", "", "local slope", "", *(f"{slope:.2f}" for slope in slopes)]


if __name__ == "__main__":
    head, *body = ("| " + " | ".join(row) + " |" for row in rows())
    print(head, "|" + "---|" * (3 + len(HORIZONS)), *body, sep="\n")
