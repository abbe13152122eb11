"""Single precision beside double, and structured frequencies beside plain ones, in turn, in one run."""

from dataclasses import replace

import multiply_adds
from engine import best, stream
from lines import Line
from peak import share

from kernelpick import core
from kernelpick.core import Specification
from kernelpick.core.kernels.gaussian import Gaussian

ROUNDS = 2048


def in_turn(*specs: Specification) -> list[float]:
    """Seconds a round in a batch, the least of some turns."""
    X, y = stream(specs[0].n_inputs, rounds=ROUNDS)
    Y, times = y[:, None], [float("inf")] * len(specs)
    states = [core.start(spec) for spec in specs]
    for _ in range(8):  # in turn, so that a slow moment of the machine hits all
        for i, (spec, state) in enumerate(zip(specs, states, strict=True)):
            work = lambda spec=spec, state=state: core.advance_in_place(spec, state, X, Y)  # noqa: E731
            times[i] = min(times[i], best(work, 1) / ROUNDS)
    return times


def single(algorithm: str, inputs: int, pairs: int, bar: float) -> Line:
    """The time of single precision over that of double."""
    second = algorithm.endswith("newton")
    kernels = {"kernels": (Gaussian(1.0),)} if second else {}
    spec = Specification(algorithm, "square", inputs, n_features=pairs, horizon=100_000, **kernels)
    double, seconds = in_turn(spec, replace(spec, precision="single"))
    needed = (multiply_adds.newton if second else multiply_adds.features)(inputs, pairs)
    reached = share(needed, seconds, "double" if second else "single")
    return Line(f"{algorithm}, single, d {inputs}, D {pairs}", seconds / double, bar, "x double", reached)


def structured(inputs: int, pairs: int) -> Line:
    spec = Specification("rf-oks++", "square", inputs, n_features=pairs, horizon=100_000)
    plain, seconds = in_turn(spec, replace(spec, orthogonal="structured"))
    return Line(f"rf-oks++, structured, d {inputs}, D {pairs}", seconds / plain, 1.0, "x plain frequencies")


def rows() -> list[Line]:
    return [
        *(single("rf-oks++", inputs, 400, 1 / 1.6) for inputs in (18, 123)),
        *(single("leader-newton", inputs, 200, 1 / 1.2) for inputs in (18, 123)),
        *(structured(inputs, 1024) for inputs in (64, 123, 1000)),
    ]


if __name__ == "__main__":
    for row in rows():
        print(*row, sep=" | ")
