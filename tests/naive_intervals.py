"""Intervals and their coverage a second time, plainly: the formulas of kernelpick.online.coverage and .intervals."""

import math

LEVELS = [0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.975, 0.99, 0.995]


def bounded(x, low, high):
    return min(max(x, low), high)


class Bounds:
    """Bounds of the logarithm of a score, one for each level."""

    def __init__(self, start):
        self.bounds = dict.fromkeys(LEVELS, start)

    def follow(self, score, step):
        for level, bound in self.bounds.items():
            self.bounds[level] = bound + step * ((score > bound) - (1 - level))


class Pace:
    def __init__(self):
        self.misses, self.gap, self.rows = 0.0, 0, 0

    def step(self, missed):
        self.rows += 1
        self.misses += (missed - self.misses) / 32
        self.gap = 0 if missed else self.gap + 1
        urgent = max(self.misses - 0.1 - 0.12, 0.05 * (0.1 * self.gap - 5))
        return max(0.02, 1 / math.sqrt(self.rows), min(0.2, urgent))


class Naive:
    """Of one target."""

    def __init__(self, columns):
        self.slopes, self.rows = [0.0] * (3 + 2 * columns), 0
        self.widths, self.pace, self.held = {0.0: 0.0, 0.5: 0.0, 1.0: 0.0}, Pace(), dict.fromkeys(LEVELS, 0)

    def describe(self, x, said):
        x, f = [bounded(value, -5, 5) for value in x], bounded(said, -5, 5)
        return [1.0, f, abs(f) - 0.8, *x, *(abs(value) - 0.8 for value in x)]

    def size(self, x, said):
        return bounded(sum(w * z for w, z in zip(self.slopes, self.describe(x, said), strict=True)), -3, 3)

    @property
    def exponent(self):
        return min(self.widths, key=self.widths.get)

    def reach(self, x, said, level):
        return math.exp(self.all[self.exponent].bounds[level] + self.exponent * self.size(x, said))

    def learn(self, x, said, error, spread):
        """said is in scaled units, and so is the error."""
        residual = math.log(max(abs(error) * spread, 1e-300))
        if self.rows == 0:
            self.origin, self.all = residual, {k: Bounds(residual) for k in self.widths}
        self.rows += 1
        size = self.size(x, said)
        for level, bound in self.all[self.exponent].bounds.items():
            self.held[level] += residual - self.exponent * size <= bound
        step = self.pace.step(residual > self.all[0.0].bounds[0.9])
        looks = self.rows <= 1000 or self.rows % 4 == 0
        for k, bounds in self.all.items():
            if looks:
                width = math.exp(bounds.bounds[0.9] + k * size)
                self.widths[k] += max(1 / self.rows, 0.008) * (width - self.widths[k])
            bounds.follow(residual - k * size, step)
        if looks:
            z = self.describe(x, said)
            slope = max(1 - math.exp(min(residual - self.origin - size, 2.0)), -3.0)
            step = max(0.01, 1 / math.sqrt(self.rows)) * slope / (1 + sum(value**2 for value in z))
            self.slopes = [w - step * value for w, value in zip(self.slopes, z, strict=True)]
