"""The losses once more, plainly. Headings in the comments are those of docs/algorithms.md."""

import math

REGRESSION = ("square", "absolute", "huber")
BEND = 0.5  # where Huber's loss becomes straight
C0 = {"logistic": 1.0, "square": 4.0, "squared_hinge": 4.0, "huber": 4.0}  # "Losses": the smooth ones


# ---- "Losses"
def loss_value(loss: str, f: float, y: float) -> float:
    if loss == "logistic":  # ln(1 + exp(-yf)), with the exponential of a non-positive number only
        return math.log1p(math.exp(-abs(y * f))) + max(0.0, -y * f)
    if loss == "square":
        return (f - y) * (f - y)
    if loss == "squared_hinge":
        return max(0.0, 1 - y * f) * max(0.0, 1 - y * f)
    if loss == "absolute":
        return abs(f - y)
    if loss == "huber":
        return (f - y) ** 2 if abs(f - y) <= BEND else BEND * (2 * abs(f - y) - BEND)
    return max(0.0, 1 - y * f)  # hinge


def loss_slope(loss: str, f: float, y: float) -> float:
    if loss == "logistic":  # -y / (1 + exp(yf)), with the exponential of a non-positive number only
        e = math.exp(-abs(y * f))
        return -y * e / (1 + e) if y * f > 0 else -y / (1 + e)
    if loss == "square":
        return 2 * (f - y)
    if loss == "squared_hinge":
        return -2 * y * max(0.0, 1 - y * f)
    if loss == "absolute":
        return 1.0 if f > y else -1.0 if f < y else 0.0
    if loss == "huber":
        return 2 * max(-BEND, min(BEND, f - y))
    return -y if y * f < 1 else 0.0  # hinge


def lipschitz_and_largest(loss: str, U: float) -> tuple[float, float]:
    """G1 and l_max, the last two columns of the table of losses."""
    if loss == "logistic":
        return 1.0, loss_value("logistic", -U, 1.0)  # ln(1 + exp U)
    if loss == "huber":
        return 2 * BEND, BEND * (2 * (U + 1) - BEND)
    return (1.0, U + 1) if loss in ("absolute", "hinge") else (2 * (U + 1), (U + 1) ** 2)
