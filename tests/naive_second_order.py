"""Newton, Adagrad and the leader in the style of naive.py: the textbook recursions, with whole matrices.

Section names in the comments are the headings of docs/algorithms.md; the letters are those of that page.
"""

import math
from types import SimpleNamespace

import numpy as np
from naive import (
    BEND,
    IOKS,
    OKS,
    REGRESSION,
    WIDTHS,
    Features,
    OKSPlus,
    draw,
    exponential_weights,
    loss_slope,
    loss_value,
)

SELECTORS = ("rf-oks", "rf-oks++", "rf-ioks", "raker", "leader")
ALGORITHMS = ("leader", *(f"{selector}-{learner}" for learner in ("newton", "adagrad") for selector in SELECTORS))


class Augmented(Features):  # "Beside the inputs"
    """Features of the squashed inputs, a constant, and the inputs themselves."""

    def __init__(self, omega):
        super().__init__(omega)
        self.w = np.zeros(2 * self.D + 1 + self.omega.shape[1])

    def z(self, x) -> np.ndarray:
        return np.concatenate([super().z(x / np.sqrt(1 + (x / 3) ** 2)), [1.0], x])


# ---- The learners: `learn` takes the prediction before it is bounded. First "Newton"
def other_label(margin: float) -> float:
    """1 / (1 + exp(margin)), with the exponential of a non-positive number only."""
    e = math.exp(-abs(margin))
    return e / (1 + e) if margin > 0 else 1 / (1 + e)


def landing(margin: float, v: float) -> float:
    """The a with a = margin + v / (1 + exp(a)), by bisection."""
    low, high = margin, margin + v
    for _ in range(70):
        a = (low + high) / 2
        low, high = (low, a) if a > margin + v * other_label(a) else (a, high)
    return (low + high) / 2


def parabola(loss: str, f: float, y: float, v: float) -> tuple[float, float]:
    """Slope and curvature h of what takes the place of the loss."""
    if loss == "square":  # the square losses are halved
        return f - y, 1.0
    if loss == "huber":
        h = 1.0 if abs(f - y) <= BEND else BEND / abs(f - y)
        return h * (f - y), h
    if loss == "squared_hinge":
        return (f - y, 1.0) if y * f < 1 else (0.0, 0.0)
    way = landing(y * f, v) - y * f
    other = other_label(y * f)
    h = (other - other_label(y * f + way)) / way if way > 1e-4 else other * (1 - other)  # its limit
    return -y * other, h


class Newton:
    def __init__(self, space, loss, s, U):
        self.space, self.loss, self.P = space, loss, s * np.eye(len(space.w))

    def learn(self, x, y, f, chance) -> None:
        z = self.space.z(x)
        Pz = self.P @ z
        v = z @ Pz
        slope, h = parabola(self.loss, f, y, v)
        self.space.w = self.space.w - slope / (1 + h * v) * Pz
        self.P = self.P - h / (1 + h * v) * np.outer(Pz, Pz)


class Adagrad:  # "Adagrad"
    def __init__(self, space, loss, s, U):
        self.space, self.loss, self.step = space, loss, s / 5 / math.sqrt(space.D)
        self.squares = np.zeros(len(space.w))

    def learn(self, x, y, f, chance) -> None:
        gradient = loss_slope(self.loss, f, y) / chance * self.space.z(x)
        self.squares += gradient**2
        moving = gradient != 0
        self.space.w[moving] -= self.step * gradient[moving] / np.sqrt(self.squares[moving])


class Normalised:
    """The step of IOKS."""  # "IOKS and RF-IOKS"

    def __init__(self, space, loss, s, U):
        self.space, self.loss, self.U, self.squares = space, loss, U, 0.0

    def learn(self, x, y, f, chance) -> None:
        g, z = loss_slope(self.loss, f, y) / chance, self.space.z(x)
        self.squares += g * g * (2 + x @ x)  # k(x, x): cos^2 + sin^2, the constant, the inputs
        self.space.w = self.space.w - self.U / math.sqrt(2) / math.sqrt(1 + self.squares) * g * z


# ---- The selectors: who plays, what they say together, and what is made of their costs {arm: c}
class Bandit:  # "A round"
    def __init__(self, inner):
        self.inner, self.p = inner, inner.p

    def players(self, u):
        self.arm = draw(self.p, u)
        return [self.arm], self.arm, self.p[self.arm]

    def say(self, values) -> float:
        return values[self.arm]

    def observe(self, costs, f, y, u) -> set:
        self.inner.observe(self.arm, f, y, costs[self.arm], 0.0, 1.0)
        self.p = self.inner.p
        return set()


class Hedge:  # "Raker", with another learner
    def __init__(self, K, T, loss, s):
        self.p, self.L, self.eta, self.l_max = np.full(K, 1 / K), np.zeros(K), s / math.sqrt(T), 1 + (loss != "square")

    def players(self, u):
        return range(len(self.p)), -1, math.nan

    def say(self, values) -> float:
        return sum(self.p[i] * f for i, f in values.items())

    def observe(self, costs, f, y, u) -> set:
        for i, c in costs.items():
            self.L[i] += c / self.l_max
        self.p = exponential_weights(self.eta, self.L)
        return set()


def split(u: float, parts: int) -> tuple[float, int]:
    return u * parts - int(u * parts), int(u * parts)


class Drift:  # "Leader with scouts", the drift watch
    """A cumulative sum over the mean root loss of blocks, in standard deviations."""

    def __init__(self):
        self.mean, self.square, self.sum, self.count = 0.0, 0.0, 0.0, 0

    def worse(self, x: float) -> bool:
        alarm = False
        if self.count >= 16:
            deviation = math.sqrt(max(self.square - self.mean**2, 1e-12 * self.square))
            self.sum = min(max(0.0, self.sum + min((x - self.mean) / deviation, 4.0) - 0.5), 16.0)
            alarm = self.sum > 8
            x = min(x, self.mean + 4 * deviation)
        self.count = min(self.count + 1, 50)
        self.mean += (x - self.mean) / self.count
        self.square += (x * x - self.square) / self.count
        return alarm


class Leader:  # "Leader with scouts"
    def __init__(self, K, N):
        self.K, self.N, self.t, self.p = K, N, 0, np.zeros(K)
        seats = min(K, max(8, math.ceil(N)))
        self.seated = sorted({int(i) for i in np.linspace(0, K - 1, seats).round()})
        self.lead = self.speaker = self.seated[0]
        self.opening = 512 if N > 1 else 0
        self.playing = list(self.seated) if self.opening else [self.lead]
        self.score, self.evidence, self.sums = np.zeros(K), np.zeros(K), np.zeros(K)
        self.counted, self.challenged, self.champion, self.challenges = 0, 0, -1, 0
        self.drift, self.roots = Drift(), 0.0
        self.p[self.lead] = 1.0

    def players(self, u):
        return self.playing, self.speaker, 1.0

    def say(self, values) -> float:
        return values[self.speaker]

    def observe(self, costs, f, y, u) -> set:
        self.t += 1
        self.counted += 1
        self.roots += math.sqrt(costs[self.speaker])
        for i, c in costs.items():
            self.sums[i] += c
        fresh = self.end_block(u) if self.t % 64 == 0 or self.t == self.opening else set()
        if self.t == self.opening // 2 and self.opening:
            self.counted, self.sums[:] = 0, 0
        return fresh

    def end_block(self, u) -> set:  # the seven steps at the end of a block
        t, fresh = self.t, set()
        length = min(64, t - self.opening) if t > self.opening else 64
        alarm = t % 64 == 0 and self.speaker == self.lead and self.drift.worse(self.roots / length)
        self.roots = 0.0
        if t == self.opening:
            self.drift = Drift()
        self.compare()
        if t >= self.opening:
            self.counted, self.sums[:] = 0, 0
        for i in self.seated:
            if self.evidence[i] > 0 and self.score[i] < self.score[self.lead]:
                self.lead = i
        if self.challenged:
            again = t - self.challenged == 1024 and self.lead != self.champion
            alarm = again or (alarm and t - self.challenged >= 1024)
        if alarm and t > max(512, self.opening):
            u, fresh = self.challenge(u)
        self.appoint(u)
        return fresh

    def compare(self) -> None:  # 2
        rows, alone, leading = self.counted, self.N <= 1, self.score[self.lead]
        for i in sorted(self.playing):
            mean = self.sums[i] / rows
            if self.t <= self.opening:
                self.score[i], self.evidence[i] = mean, rows
            elif i != self.lead or alone:
                if self.lead in self.playing and i != self.lead:
                    mean = leading + mean - self.sums[self.lead] / rows
                self.evidence[i] = self.evidence[i] * math.exp(-rows / 2000) + rows
                self.score[i] += rows / self.evidence[i] * (mean - self.score[i])

    def challenge(self, u) -> tuple[float, set]:  # 6
        """All but the leader start afresh, in seats that are drawn if there are more arms than seats."""
        self.challenged, self.champion, self.drift = self.t, self.lead, Drift()
        self.challenges += 1
        others = [i for i in range(self.K) if i != self.lead]
        if len(self.seated) < self.K:
            drawn = []
            for _ in self.seated[1:]:
                u, place = split(u, len(others))
                drawn.append(others.pop(place))
            others = drawn
        self.seated = sorted([self.lead, *others])
        for i in range(self.K):
            if i != self.lead:
                self.score[i], self.evidence[i] = self.score[self.lead], 0.0
        return u, set(others) or {self.lead}  # an arm that is alone starts afresh itself

    def appoint(self, u) -> None:  # 7
        lead, alone, since = self.lead, self.N <= 1, self.t - self.challenged
        self.p[:], self.p[lead], self.speaker = 0, 1.0, lead
        rest = [i for i in self.seated if i != lead]
        if self.t < self.opening or (self.challenged and since < 512 and not alone):
            self.playing = [lead, *rest]
            return
        self.playing = [lead]
        wanted = 0.1 if alone else self.N - 1
        scouts, part = int(wanted), wanted - int(wanted)
        scouts, u = (scouts + 1, u / part) if u < part else (scouts, (u - part) / (1 - part))
        contest = 0 if alone or since >= 1024 else 2 if since < 512 else 1
        if alone and since < 512:
            scouts = 1
        for _ in range(min(max(scouts, contest), len(rest))):
            u, coin = split(u, 2)
            u, place = split(u, len(rest))
            if contest or (coin == 0 and not (alone and since < 512)):
                place = min(range(len(rest)), key=lambda k: self.score[rest[k]])
            self.playing.append(rest.pop(place))
        if alone:
            self.speaker = self.playing[-1]
            self.playing = [self.speaker]
            self.p[self.seated] = 0.1 / max(1, len(self.seated) - 1)
            self.p[lead] = 0.9


def trace(algorithm, X, y, *, loss, widths=WIDTHS, settings="paper", horizon=None, radius=None, step_scale=5.0,
          hypotheses=1.3, uniforms, frequencies, budget=None):  # fmt: skip
    """As naive.trace; the selector is returned too."""
    X, y, K, T = np.asarray(X, dtype=float), [float(v) for v in y], len(widths), horizon or len(y)
    U = (15.0 if loss == "logistic" else 1.0) if radius is None else radius
    name, _, learner = algorithm.rpartition("-") if algorithm.endswith(("newton", "adagrad")) else (algorithm, "", "")
    if name == "raker" and settings == "published":
        widths = np.cumprod(widths)  # "Published settings"
    if name == "raker":
        selector = Hedge(K, T, loss, step_scale)
    elif name == "leader":
        selector = Leader(K, hypotheses)
    else:
        selector = {"rf-oks": OKS, "rf-oks++": OKSPlus, "rf-ioks": IOKS}[name]
        selector = Bandit(selector(K, T, loss, U, step_scale, settings))
    Space = Augmented if name == "leader" else Features
    Learner = {"newton": Newton, "adagrad": Adagrad, "": Normalised}[learner]

    def fresh(i: int):
        return Learner(Space(np.asarray(frequencies) / widths[i]), loss, step_scale, U)

    learners = [fresh(i) for i in range(K)]
    low, high = (math.inf, -math.inf) if loss in REGRESSION else (-30.0, 30.0)
    rows = []
    for x_t, y_t, u_t in zip(X, y, uniforms, strict=True):
        arms, arm, p = selector.players(u_t)
        raw = {i: learners[i].space.value(x_t) for i in arms}
        room = 0.1 * (high - low) if loss in REGRESSION else 0.0
        bounded = learner == "newton" and low <= high
        f_i = {i: min(max(f, low - room), high + room) if bounded else f for i, f in raw.items()}
        f = selector.say(f_i)
        rows.append((arm, p, f, loss_value(loss, f, y_t)))
        for i in arms:
            learners[i].learn(x_t, y_t, raw[i], 1.0 if math.isnan(p) else p)
        if loss in REGRESSION:
            low, high = min(low, y_t), max(high, y_t)
        for i in selector.observe({i: loss_value(loss, f_i[i], y_t) for i in arms}, f, y_t, u_t):
            learners[i] = fresh(i)
    arms, probabilities, predictions, losses = np.array(rows, dtype=float).reshape(-1, 4).T
    return SimpleNamespace(
        arms=arms.astype(int), probabilities=probabilities, predictions=predictions, losses=losses,
        weights=np.array(selector.p), selector=selector,
    )  # fmt: skip
