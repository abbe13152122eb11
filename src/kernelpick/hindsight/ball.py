"""The best point of a ball in few dimensions: Newton's method, each step the best one for a parabola within the ball.

Where the loss has rounded kinks, a parabola tells little of what is beyond them; a step that leads up is damped.
"""

import numpy as np

from kernelpick.hindsight.curves import SummedLoss

STEPS = 300  # tried; smooth losses need about ten
NOTHING = 1e-13  # of the loss, to be gained by a step
HARDER = 8.0  # damped after a step that led up, and softer after one that did not


def best_in_ball(
    summed: SummedLoss, H: np.ndarray, z: np.ndarray, radius: float, blur: float, *, to_the_end: bool = False
) -> np.ndarray:
    """The z with |z| <= radius that minimises the summed loss of the predictions H z, from a start inside.

    With to_the_end, a last step is made that gains nothing to speak of: it brings slopes nearer to those of the best.
    """
    F = H @ z
    value, damping, moved = summed.total(F, blur), 0.0, True
    for _ in range(STEPS):
        if moved:
            gradient = H.T @ summed.slopes(F, blur)
            curvature = H.T @ (H * summed.curvatures(F, blur)[:, None])
            values, vectors = np.linalg.eigh(curvature)
            values = np.maximum(values, 0.0)
        ahead = vectors @ _on_parabola(values + damping, vectors.T @ (gradient - curvature @ z - damping * z), radius)
        gain = -float(gradient @ (ahead - z))
        enough = gain <= NOTHING * value
        if enough and not to_the_end:
            break
        F_ahead = H @ ahead
        value_ahead = summed.total(F_ahead, blur)
        if enough and value_ahead <= value * (1 + NOTHING):
            return ahead
        moved = value_ahead < value - 0.1 * gain
        if moved:
            z, F, value, damping = ahead, F_ahead, value_ahead, damping / HARDER
        else:
            damping = max(
                HARDER * damping, 1e-3 * float(values.mean()), 1e-9 * float(np.linalg.norm(gradient)) / radius
            )
    return z


def _on_parabola(values: np.ndarray, parts: np.ndarray, radius: float) -> np.ndarray:
    """The z of the ball with the least parts.z + z.diag(values).z / 2: a root in the multiplier of the ball."""
    largest = float(np.linalg.norm(parts)) / radius  # that the multiplier can be; beside it, less than this is nothing
    values = values + 1e-14 * max(float(values.max()), largest, 1e-300)
    outside = float(np.linalg.norm(parts / values)) > radius
    return -parts / (values + (_multiplier(values, parts, radius, largest) if outside else 0.0))


def _multiplier(values: np.ndarray, parts: np.ndarray, radius: float, high: float) -> float:
    """The m in (0, high] with |parts / (values + m)| = radius: Newton on 1/|.|, which is nearly straight."""
    low, m = 0.0, high
    for _ in range(100):
        ratio = parts / (values + m)
        size = float(np.linalg.norm(ratio))
        if size > radius:
            low = m
        else:
            high = m
        slope = float((ratio**2 / (values + m)).sum()) / size**3
        ahead = m + (1 / radius - 1 / size) / slope
        if abs(ahead - m) <= 1e-15 * m:
            return m
        m = ahead if low < ahead < high else 0.5 * (low + high)
    return high
