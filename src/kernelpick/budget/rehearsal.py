"""Before the first round: a small model of the same kind plays made-up rows, once for a process.

Compiled code is read from the disk where it is first needed, and what calls it is found then, which takes as long as
hundreds of rounds. With a budget that is none of the stream's.
"""

from dataclasses import replace

from kernelpick.budget.measure import Way
from kernelpick.core.kernels.frequencies import STRUCTURED, block_of
from kernelpick.core.spaces.tiles import TILE
from kernelpick.online.plan import Plan
from kernelpick.online.preparation import preparation
from kernelpick.online.watch import WINDOW

FEW = 16  # frequencies
_rehearsed: set[str] = set()


def rehearse(plan: Plan, way: Way) -> None:
    """All that happens until fits have taken effect, and the end of a window after that."""
    kind = _kind(plan, way)
    if kind in _rehearsed:
        return
    fits = preparation(plan)
    call = way.begin(small(plan)).call
    for _ in range(-(-((fits.most if fits.fits else 0) + 2 * WINDOW) // way.rows)):
        call()
    _rehearsed.add(kind)


def small(plan: Plan) -> Plan:
    """The same with few frequencies, or examples: its types are those that compiled code is for."""
    spec = plan.specification
    few = block_of(spec.n_inputs) if spec.orthogonal == STRUCTURED else FEW
    own = replace(spec, n_features=min(spec.n_features, few), budget=min(spec.budget, TILE))
    return replace(plan, specification=own, features=min(plan.features, few))


def _kind(plan: Plan, way: Way) -> str:
    """What decides which code is called, as a text."""
    spec = plan.specification
    told = spec.row, spec.loss, spec.precision, spec.orthogonal, spec.n_outputs, spec.hypotheses > 1.0, spec.forgetting
    return repr((way.name, *told, plan.scale, plan.scale_target, plan.balanced, plan.memories, plan.companions))
