"""A picture of what a model has been through: progressive error, who led when, coverage. It needs matplotlib."""

import math
from collections.abc import Sequence
from typing import Any

from kernelpick.online.coverage import LEVELS, USUAL
from kernelpick.online.history import CHALLENGE, Entry


def figure(entries: Sequence[Entry], name: str) -> Any:
    """A matplotlib figure over the rounds, of entries in their order."""
    try:
        from matplotlib import pyplot
    except ImportError as problem:
        raise ImportError('plot() needs matplotlib: pip install "kernelpick[plot]" brings it.') from problem

    covered = any(not math.isnan(one.coverage) for one in entries)
    made, axes = pyplot.subplots(2 + covered, 1, sharex=True, figsize=(8, 2.2 * (2 + covered)), layout="constrained")
    axes[0].set_title(name, fontsize="medium")
    axes[0].plot([one.round for one in entries], [one.error for one in entries], marker=".")
    axes[0].set_ylabel("error so far")
    _leaders(axes[1], entries)
    if covered:
        axes[2].plot([one.round for one in entries], [one.coverage for one in entries], marker=".")
        axes[2].axhline(LEVELS[USUAL], linestyle="--", linewidth=1, color="gray")
        axes[2].set_ylabel("coverage so far")
    for one in entries:
        if one.why == CHALLENGE:
            for axis in axes:
                axis.axvline(one.round, linestyle=":", linewidth=1, color="gray")
    axes[-1].set_xscale("log", base=2)
    axes[-1].set_xlabel("rounds; dotted: the leader is challenged")
    return made


def _leaders(axis: Any, entries: Sequence[Entry]) -> None:
    """A line at the height of each kernel as long as it leads; those that never led are left out."""
    kernels = sorted({one.kernel for one in entries}, key=lambda kernel: (type(kernel).__name__, repr(kernel)))
    kernels.sort(key=lambda kernel: getattr(kernel, "width", 0.0))
    ends = [*(one.round for one in entries[1:]), entries[-1].round]
    for one, end in zip(entries, ends, strict=True):
        height = kernels.index(one.kernel)
        axis.plot([one.round, end], [height, height], color=f"C{height % 10}", linewidth=4, solid_capstyle="butt")
    axis.set_yticks(range(len(kernels)), [short(kernel) for kernel in kernels])
    axis.set_ylim(-0.5, len(kernels) - 0.5)
    axis.set_ylabel("in the lead")


def short(kernel: Any) -> str:
    """A kernel as people read it.

    >>> from kernelpick import Gaussian
    >>> short(Gaussian(0.123456))
    'Gaussian(width=0.123)'
    """
    told = ", ".join(f"{name}={value:.3g}" for name, value in vars(kernel).items())
    return f"{type(kernel).__name__}({told})"
