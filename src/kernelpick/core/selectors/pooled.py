"""The races of several shards as one (see core/shards.py).

Scores of a shard count by its evidence, the same for all its arms: of scores only differences count, and two shards may
differ in their losses more than two arms do. An arm that some shards know nothing of is compared in the others. Rounds
of a block that has not ended are dropped, and so is a challenge that is under way; up to the end of the next block all
arms play.
"""

from typing import Any

import numpy as np

from kernelpick.core.parts import arrays_of
from kernelpick.core.rounds import BLOCK


def pooled(leader: Any, shards: list[Any], rounds: int) -> Any:
    """The selector after so many rounds of all shards; its evidence is there already, their sum."""
    own = leader._replace(**{name: np.zeros_like(array) for name, (array, _) in arrays_of(leader).items()})
    own.score[:] = _scores(shards)
    opening = max(int(shard.race["opening"][0]) for shard in shards)
    seated = _seated(shards, own.score, leader.evidence)
    known = np.where(leader.evidence[seated] > 0.0, own.score[seated], np.inf)
    best = int(seated[known.argmin()])  # if nobody knows anything, the first
    own.enter(seated, opening if rounds < opening else 0, best)
    own.race["opening"] = opening
    own.evidence[:] = np.where(own.seat >= 0, leader.evidence, 0.0)
    if rounds < opening:
        own.race["counted"] = sum(int(shard.race["counted"][0]) for shard in shards)
        own.sums[:] = np.sum([shard.sums for shard in shards], axis=0)
    _watch(own.drift, [shard.drift for shard in shards], rounds)
    return own


def _scores(shards: list[Any]) -> np.ndarray:
    """(K,) zero where nobody knows anything."""
    known = np.array([shard.evidence > 0.0 for shard in shards])
    scores = np.array([shard.score for shard in shards])
    trust = np.array([shard.evidence.sum() for shard in shards])
    everywhere = known[trust > 0.0].all(axis=0) & (trust.sum() > 0.0)
    leaders = [shard.score[int(shard.race["leader"][0])] for shard in shards]
    levels = scores[:, everywhere].mean(axis=1) if everywhere.any() else np.array(leaders)
    weights = trust[:, None] * known
    total = weights.sum(axis=0)
    apart = (weights * (scores - levels[:, None])).sum(axis=0) / np.where(total > 0.0, total, 1.0)
    return np.asarray(np.where(total > 0.0, apart + trust @ levels / max(trust.sum(), 1e-300), 0.0))


def _seated(shards: list[Any], score: np.ndarray, evidence: np.ndarray) -> np.ndarray:
    """The arms that take part: those of all shards, or where these are too many the best."""
    arms = np.flatnonzero(np.any([shard.seat >= 0 for shard in shards], axis=0))
    seats = int((shards[0].seat >= 0).sum())
    order = sorted(arms.tolist(), key=lambda arm: (evidence[arm] == 0.0, score[arm], arm))
    return np.array(sorted(order[:seats]))


def _watch(drift: np.ndarray, shards: list[np.ndarray], rounds: int) -> None:
    """Means by the blocks behind them; the block that has begun is taken to go on as usual."""
    counts = np.array([shard["count"][0] for shard in shards])
    drift["count"] = counts.sum()
    for name in ("mean", "square", "sum"):
        drift[name] = counts @ np.array([shard[name][0] for shard in shards]) / max(counts.sum(), 1.0)
    drift["block_loss"] = drift["mean"] * (rounds % BLOCK)
