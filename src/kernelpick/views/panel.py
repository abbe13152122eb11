"""A small panel for notebooks, in one piece of HTML: rows, error, who leads and why, drift, coverage."""

import math
from html import escape
from typing import Any

import numpy as np

from kernelpick.online.history import CHALLENGE
from kernelpick.online.model import Model
from kernelpick.views.figure import short

STYLE = "border-collapse:collapse;font-size:90%;margin:.5em 0"
CELL = "text-align:left;padding:.15em .8em .15em 0;vertical-align:top"
MOST_IMPORTANT = 3  # columns


def panel(name: str, model: Model, importances: Any) -> str:
    """Of a model that has learned something; importances by columns, or None."""
    told = {
        "rows": f"{model.rounds:,}",
        "error so far": _error(model),
        "in the lead": _lead(model),
        "beside it": _companions(model),
        "drift": _drift(model),
        "coverage": _coverage(model),
        "moved most by": _movers(importances),
    }
    rows = "".join(
        f'<tr><th style="{CELL};font-weight:600">{escape(what)}</th><td style="{CELL}">{escape(sentence)}</td></tr>'
        for what, sentence in told.items()
        if sentence
    )
    head = f'<caption style="{CELL};caption-side:top">{escape(name)}</caption>'
    return f'<table style="{STYLE}">{head}{rows}</table>'


def _error(model: Model) -> str:
    mean = model.said.mean
    return (
        "" if math.isnan(mean) else f"{mean:.4g} (mean {model.spec.loss_row.name} loss, each row before it is learned)"
    )


def _lead(model: Model) -> str:
    if model.state is None:
        return "nobody yet: rows are kept until kernels can be chosen"
    now = model.now()
    rivals = [
        (loss, kernel)
        for place, (loss, kernel) in enumerate(zip(now.losses, now.kernels, strict=True))
        if place != now.leader and not math.isnan(loss)
    ]
    if not rivals or math.isnan(now.lead):
        return short(now.kernel)
    loss, rival = min(rivals, key=lambda pair: pair[0])
    return (
        f"{short(now.kernel)}: its loss is {now.losses[now.leader]:.4g} a round, and {loss:.4g} that of "
        f"{short(rival)}, the next best of {len(now.kernels)}"
    )


def _companions(model: Model) -> str:
    """The weights in the prediction; of several outputs, their means."""
    if not model.companions:
        return ""
    shares = {name: np.mean(own) for name, own in model.companions.shares(model.spec.n_inputs).items()}
    return "; ".join(f"{name} weigh {share:.2f} in the prediction" for name, share in shares.items())


def _drift(model: Model) -> str:
    told = [one.round for one in model.history.entries if one.why == CHALLENGE]
    times = "once" if len(told) == 1 else f"{len(told)} times"
    challenged = f"the leader became worse and was challenged {times}, last after row {told[-1]:,}" if told else ""
    strays = f"{model.out_of_range:,} rows had inputs out of range" if model.out_of_range else ""
    return "; ".join(part for part in (challenged, strays) if part) or "none noticed"


def _coverage(model: Model) -> str:
    if math.isnan(model.coverage):
        return ""
    if model.intervals is None:
        return f"0.9 sets held {model.coverage:.1%} of the labels"
    return f"0.9 intervals held {model.coverage:.1%} of the targets; mean width {model.width:.4g}"


def _movers(importances: Any) -> str:
    if importances is None:
        return ""
    pairs = importances.items() if isinstance(importances, dict) else enumerate(importances.tolist())
    best = sorted(pairs, key=lambda pair: -pair[1])[:MOST_IMPORTANT]
    return ", ".join(f"{column} ({share:.0%})" for column, share in best if share >= 0.005)
