"""The calibration a second time, plainly: lists, loops and the formulas of kernelpick.online.calibration."""

import math


class Entry:
    """A number that takes online Newton steps."""

    def __init__(self, value, trust):
        self.value, self.trust, self.least, self.rows = value, trust, trust, 0

    def step(self, slope, curvature, memory):
        self.rows += 1
        self.trust = max(self.trust * (1 - 1 / memory) + curvature, self.least)
        return self.value - slope / self.trust


def sigmoid(f):
    return 1 / (1 + math.exp(-f))


def bounded(x, low, high):
    return min(max(x, low), high)


class Naive:
    def __init__(self, outputs):
        self.scale, self.late = Entry(1.0, 3.0), [None] * outputs

    def join(self):
        """One more class, which is late; the others keep their places."""
        self.late = [None, None] if len(self.late) == 1 else self.late
        self.late.append(Entry(0.0, 0.25))

    @property
    def offsets(self):
        return [late.value if late else 0.0 for late in self.late]

    def chances(self, values):
        """From scores with their offsets; rows that are learned soften them."""
        f = [-values[0], values[0]] if len(values) == 1 else values
        powers = [sigmoid(score) ** self.scale.value for score in f]
        n = self.scale.rows
        return [(n * power / sum(powers) + 1 / len(f)) / (n + 1) for power in powers]

    def learn(self, said, y, weight=1.0):
        """said has no offsets yet; y is +-1 for each output."""
        f = [bounded(one + b, -100, 100) for one, b in zip(said, self.offsets, strict=True)]
        pair = [-f[0], f[0]] if len(f) == 1 else f
        truth = (1 if y[0] > 0 else 0) if len(f) == 1 else list(y).index(1.0)
        g = [math.log(sigmoid(score)) for score in pair]
        powers = [sigmoid(score) ** self.scale.value for score in pair]
        p = [power / sum(powers) for power in powers]
        mean = sum(a * b for a, b in zip(p, g, strict=True))
        variance = sum(a * (b - mean) ** 2 for a, b in zip(p, g, strict=True))
        slope, s = mean - g[truth], self.scale.value
        memory = min(1000, 4 + self.scale.rows / 3)
        new = self.scale.step(weight * slope, weight * (variance + slope**2) / 2, memory)
        self.scale.value = bounded(new, max(s / 2, 1 / 64), min(2 * s, 64))
        for late, score, label in zip(self.late, f, y, strict=True):
            if late is None:
                continue
            if late.rows == 0 and label > 0:
                late.rows = 1
                continue
            wrong = sigmoid(-label * score)
            new = late.step(-weight * label * wrong, weight * max(wrong * (1 - wrong), wrong**2), 1000)
            late.value = bounded(new, -100, 100)
