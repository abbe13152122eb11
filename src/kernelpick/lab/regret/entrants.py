"""Who is measured: algorithms by name, some of them in several variants."""

from __future__ import annotations

from typing import Any, NamedTuple

from kernelpick.core.algorithms import ALGORITHMS, PAPER, Algorithm
from kernelpick.core.losses import LOSSES
from kernelpick.core.messages import choice
from kernelpick.lab.running.names import by_commas

SCALES = (1, 5, 10, 25)  # the paper's, of which its experiments take the best in hindsight
USUAL = (*PAPER, "bao2ks", "rf-bao2ks", "auto", "leader", "leader-newton")
PUBLISHED = {"settings": "published"}  # what the paper's experiments did, which the theorems do not speak of
VARIANTS: dict[str, dict[str, dict[str, Any]]] = {
    "oks": {f"oks s={s}": {"step_scale": float(s)} for s in SCALES},
    "rf-oks": {f"rf-oks s={s}": {"step_scale": float(s)} for s in SCALES},
    **{name: {name: {}, f"{name} published": PUBLISHED} for name in ("oks++", "rf-oks++", "ioks", "rf-ioks", "raker")},
    "leader-newton": {"leader-newton N=1": {"hypotheses": 1.0}, "leader-newton": {}, "leader-newton N=K": {}},
}
ONLY_LOGISTIC = ("oks++ published", "rf-oks++ published")  # for other losses the settings are the same
ALL_PLAY = "leader-newton N=K"
IN_A_BALL = ("rf-bao2ks",)  # of its weights, as the ball of Theorems 4 and 5 is a box
SWEPT = ("rf-oks++", "rf-ioks", "raker", "auto")  # against the number of features
PROVED = "oks s=1"  # Theorem 1 speaks of it


class Entrant(NamedTuple):
    """A name for tables, and the algorithm behind it."""

    name: str
    algorithm: str

    def options(self, kernels: int) -> dict[str, Any]:
        """What trace is told of it beside the problem."""
        if self.name == ALL_PLAY:
            return {"hypotheses": float(kernels)}
        return VARIANTS.get(self.algorithm, {}).get(self.name, {})

    def usual_radius(self, loss: str) -> float:
        """U where nobody has chosen one: the algorithm's own, or that of the loss."""
        return float(ALGORITHMS[self.algorithm].learner.usual_radius or LOSSES[loss].radius)


def chosen(text: str, loss: Any) -> list[Entrant]:
    """Those that names by commas mean, or the usual ones that take this loss."""
    given = [choice("algorithm", name, ALGORITHMS) for name in by_commas(text)]
    for name in given:
        ALGORITHMS[name].check_loss(loss, name)
    fitting = [name for name in USUAL if _takes(ALGORITHMS[name], loss)]
    entrants = [Entrant(one, name) for name in given or fitting for one in VARIANTS.get(name, {name: {}})]
    return [one for one in entrants if loss.name == "logistic" or one.name not in ONLY_LOGISTIC]


def _takes(row: Algorithm, loss: Any) -> bool:
    return row.learner.only_loss in (None, loss.name) and (loss.smooth is not None or not row.needs_smooth)
