"""dump.py: traces, round by round."""

from typing import Any

import numpy as np
from dump_cases import ALGORITHMS, CLASSIFICATION, EXACT, MIXED, REGRESSION, Found, algorithm_called, case, refuses

import kernelpick
from kernelpick import Linear, Polynomial


def stream(loss: str, rows: int, inputs: int = 5, seed: int = 0, change: int | None = None) -> dict[str, np.ndarray]:
    """Rows, targets in [0, 1] or labels, the numbers of the rounds, and frequencies; another rule from a change on."""
    generator = np.random.default_rng(seed)
    X = generator.uniform(-1, 1, (rows, inputs))
    rule = np.sin(3 * X[:, 0]) + X[:, min(1, inputs - 1)]
    if change is not None:
        rule[change:] = np.sin(7 * X[change:, min(1, inputs - 1)]) - X[change:, 0]
    rule += 0.2 * generator.normal(size=rows)
    y = 1 / (1 + np.exp(-rule)) if loss in REGRESSION else np.where(rule >= 0, 1.0, -1.0)
    return {"X": X, "y": y, "uniforms": generator.random(rows), "frequencies": generator.normal(size=(24, inputs))}


def traced(name: str, algorithm: str, loss: str, data: dict[str, np.ndarray], **options: Any) -> Found:
    """All that a trace shows. "auto" takes no frequencies; where a number of them is asked for, they are drawn."""
    given = dict(data)
    if algorithm.endswith("auto") or "n_features" in options:
        del given["frequencies"]
    run = kernelpick.trace(algorithm_called(algorithm), given.pop("X"), given.pop("y"), loss=loss, **given, **options)
    for field in ("arms", "probabilities", "predictions", "losses", "weights"):
        yield f"{name}/{field}", getattr(run, field)


@case
def table() -> Found:
    """Every row of the table x every loss that it takes x both settings."""
    for algorithm in ALGORITHMS:
        for loss in (*REGRESSION, *CLASSIFICATION):
            for settings in ("paper", "published"):
                if not refuses(algorithm, loss):
                    name = f"table/{algorithm}/{loss}/{settings}"
                    yield from traced(name, algorithm, loss, stream(loss, 400), settings=settings, budget=50)


@case
def sizes() -> Found:
    """One kernel, one row, one input, many kernels, features that fill no lane, and a horizon that is given."""
    for algorithm in ALGORITHMS:
        for loss in ("square", "logistic"):
            name = f"sizes/{algorithm}/{loss}"
            yield from traced(f"{name}/one kernel", algorithm, loss, stream(loss, 150), widths=[0.8])
            yield from traced(f"{name}/one row", algorithm, loss, stream(loss, 1))
            yield from traced(f"{name}/one input", algorithm, loss, stream(loss, 150, inputs=1))
            yield from traced(f"{name}/odd", algorithm, loss, stream(loss, 150), n_features=7, random_state=3)
            many = 2.0 ** np.linspace(-2, 3, 40)
            yield from traced(f"{name}/40 kernels", algorithm, loss, stream(loss, 200), widths=many)
            if not algorithm.endswith("auto"):
                yield from traced(f"{name}/horizon", algorithm, loss, stream(loss, 150), horizon=5000)


@case
def options() -> Found:
    """What moves the rates: step scales, radius, budgets, forgetting; the last long enough for several fades."""
    for algorithm in ALGORITHMS:
        for scale in (0.3, 40.0):
            yield from traced(f"step/{algorithm}/{scale}", algorithm, "huber", stream("huber", 300), step_scale=scale)
        for radius in (0.3, 4.0):
            yield from traced(f"radius/{algorithm}/{radius}", algorithm, "square", stream("square", 300), radius=radius)
        if algorithm.endswith(("newton", "auto")):
            for left in (0.98, 0.5):
                data = stream("logistic", 700, change=400)
                yield from traced(f"forgetting/{algorithm}/{left}", algorithm, "logistic", data, forgetting=left)
    for budget in (1, 7, 300):
        yield from traced(f"budget/{budget}", "lkmbooks", "square", stream("square", 600), budget=budget)


@case
def leaders() -> Found:
    """A change in the middle, challenges, more kernels than seats; several N."""
    for algorithm in ("leader", "leader-adagrad", "leader-newton", "auto"):
        for hypotheses in (1.0, 1.3, 5.0):
            for loss in ("square", "logistic"):
                for count in (3, 12):
                    data = stream(loss, 3000, inputs=2, change=1600)
                    name = f"leaders/{algorithm}/{hypotheses}/{loss}/{count}"
                    widths = np.geomspace(0.1, 8, count)
                    options = {"widths": widths, "hypotheses": hypotheses}
                    yield from traced(name, algorithm, loss, data, **options)
    for loss in ("square", "logistic", "huber", "squared_hinge"):
        for count in (5, 30):  # of the paper's six losses those that it takes; around the fits, and beyond the last
            options = {"widths": np.geomspace(0.1, 8, count)}
            yield from traced(f"auto/{loss}/{count}", "auto", loss, stream(loss, 900), **options)
    for rows in (3, 8, 9, 63, 64, 65, 511, 512, 513):
        yield from traced(f"auto/rows/{rows}", "auto", "square", stream("square", rows))


@case
def inputs() -> Found:
    """Kernel families, inputs beyond 10 (direct distances), sparse ones, copies of rows; chains of many tiles."""
    for algorithm in ALGORITHMS:
        kernels = (
            [*MIXED, Linear(), Polynomial(3, offset=0.5), Polynomial(2, offset=0.0)] if algorithm in EXACT else MIXED
        )
        for loss in ("square", "hinge" if algorithm in ("oks", "ioks", "lkmbooks", "rf-oks") else "logistic"):
            data = stream(loss, 500, inputs=6)
            yield from traced(f"families/{algorithm}/{loss}", algorithm, loss, data, kernels=kernels)
            data["X"][np.random.default_rng(1).random(data["X"].shape) < 0.6] = 0.0
            data["X"][50:60] = data["X"][40]
            yield from traced(f"sparse/{algorithm}/{loss}", algorithm, loss, data, kernels=kernels)
            data["X"][::7] *= 40.0
            yield from traced(f"large/{algorithm}/{loss}", algorithm, loss, data, kernels=kernels)
            data["X"] += 2.0**20
            wide = [type(k)(1e3 * k.width) for k in MIXED]
            yield from traced(f"far/{algorithm}/{loss}", algorithm, loss, data, kernels=wide)
    for algorithm in EXACT:
        for count in (1, 2):
            data, widths = stream("square", 1500, change=700), [0.5, 2.0][:count]
            yield from traced(f"long/{algorithm}/{count}", algorithm, "square", data, widths=widths, budget=900)


@case
def divergence() -> Found:
    """Runs that overflow, and what is left of them."""
    for algorithm in ("oks", "rf-oks", "raker"):
        data = stream("square", 400)
        data["y"] *= 50
        yield from traced(f"divergence/{algorithm}", algorithm, "square", data, step_scale=1e9)


@case
def frequencies() -> Found:
    for rows, inputs in ((3, 7), (20, 6), (5, 1)):
        for orthogonal in (False, True):
            drawn = kernelpick.draw_frequencies(rows, inputs, orthogonal=orthogonal, random_state=3)
            yield f"frequencies/{rows}/{inputs}/{orthogonal}", drawn
