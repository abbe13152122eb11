"""A plain, slow transcription of the eight algorithms, used as an oracle: lists, loops and the formulas as written.

Section names in the comments are the headings of docs/algorithms.md, which defines the algorithms; the letters are
those of that page.
"""

import math
from types import SimpleNamespace

import numpy as np
from naive_losses import C0, REGRESSION, lipschitz_and_largest, loss_slope, loss_value
from naive_spaces import Exact, Features, gaussian

ALGORITHMS = ("oks", "oks++", "ioks", "rf-oks", "rf-oks++", "rf-ioks", "raker", "lkmbooks")
LOSSES = ("logistic", "square", "squared_hinge", "absolute", "hinge", "huber")
WIDTHS = [2.0**e for e in range(-2, 4)]  # "Kernels": sigma = 2^-2 ... 2^3


# ---- The selectors: `observe` takes what the round revealed, leaves the new q and p, and returns lambda
def exponential_weights(eta: float, L) -> np.ndarray:
    """q_i proportional to exp(-eta L_i), worked with L - min L."""
    v = np.exp(-eta * (L - L.min()))
    return v / v.sum()


class OKS:  # "OKS and RF-OKS"
    projects = False

    def __init__(self, K, T, loss, U, s, settings):
        self.q = self.p = np.full(K, 1 / K)
        self.K, self.L = K, np.zeros(K)
        G = l_max = 1.0  # as in the experiments
        self.delta = min(1.0, (G / l_max) ** (2 / 3) * K ** (1 / 3) * T ** (-1 / 3))
        self.eta = math.sqrt(2 * (1 - self.delta) * math.log(K)) / math.sqrt(K * T * l_max**2)
        self.lam = s * math.sqrt(self.delta / (K * T * G**2))

    def observe(self, arm, f, y, c, g, kappa_xx) -> float:
        self.L[arm] += c / self.p[arm]  # L_i = sum of c_tilde over the rounds of arm i
        self.q = exponential_weights(self.eta, self.L)
        self.p = (1 - self.delta) * self.q + self.delta / self.K
        return self.lam


class OKSPlus:  # "OKS++ and RF-OKS++"
    projects = True

    def __init__(self, K, T, loss, U, s, settings):
        if loss not in C0:
            raise ValueError(f"OKS++ needs a smooth loss, and {loss} is not")
        self.q = self.p = np.full(K, 1 / K)
        self.K, self.U, self.C, self.V, self.Delta = K, U, 0.0, 0.0, np.zeros(K)
        self.GC0 = 1.0 * C0[loss]  # G = 1
        self.b = self.GC0 ** (1 / 3) * (U * K) ** (2 / 3)
        self.replaces_b = settings == "published" and loss == "logistic"  # "Published settings"

    def observe(self, arm, f, y, c, g, kappa_xx) -> float:
        c_tilde = c / self.p[arm]
        self.C += c_tilde  # the running sums, all including this round
        self.V += self.q[arm] * c_tilde * c_tilde  # q as it was when the arm was drawn
        self.Delta[arm] += c_tilde
        b = math.exp(-y * f) if self.replaces_b else self.b  # in lambda and delta, not in GC0
        lam = self.U ** (4 / 3) * max(b**3, 8 * self.C) ** (-1 / 6)
        lam /= math.sqrt(4 / 3) * self.K ** (1 / 6) * self.GC0 ** (1 / 3) * math.sqrt(1 + self.Delta[arm])
        self.delta = 0.5 * b / max(b, 2 * self.C ** (1 / 3))  # delta_t
        eta = math.sqrt(2 * math.log(self.K)) / math.sqrt(1 + self.V)  # eta_t
        self.q = exponential_weights(eta, self.Delta)
        self.p = (1 - self.delta) * self.q + self.delta / self.K
        return lam


def tsallis_step(q, eta, c_tilde: float, arm: int) -> np.ndarray:  # "IOKS and RF-IOKS", 2
    """IOKS: q_i <- (q_i^(-7/8) + eta_i (c_i - mu))^(-8/7), c_i = c_tilde for the arm and 0 elsewhere, sum q = 1."""
    q, eta, c = np.array(q, dtype=float), np.array(eta, dtype=float), np.zeros(len(q))
    if c_tilde == 0:
        return q
    c[arm] = c_tilde
    low = 0.0  # sum <= 1
    high = min([c_tilde] + [q[i] ** (-7 / 8) / eta[i] for i in range(len(q)) if i != arm])  # mu_max
    for _ in range(200):
        mu = (low + high) / 2
        base = q ** (-7 / 8) + eta * (c - mu)
        if min(base) > 0 and sum(base ** (-8 / 7)) <= 1:  # a base that is not positive: at the pole
            low = mu
        else:
            high = mu
    return (q ** (-7 / 8) + eta * (c - low)) ** (-8 / 7)


class IOKS:  # "IOKS and RF-IOKS"
    projects = True

    def __init__(self, K, T, loss, U, s, settings):
        self.q = self.p = np.full(K, 1 / K)
        self.K, self.U, self.squared_gradients = K, U, np.zeros(K)
        ln_T = math.log(max(T, 3))
        self.delta = min(1.0, T ** (-3 / 4))
        self.upsilon = math.exp(2 / (3 * ln_T))
        G1, l_max = lipschitz_and_largest(loss, U)
        a, self.l_max = (8.0, 1.0) if settings == "published" else (3 / 2, l_max)  # "Published settings"
        eta = a * self.l_max * K ** (3 / 8) / (U * G1 * math.sqrt(T * ln_T))
        self.eta, self.rho = np.full(K, eta), np.full(K, 2.0 * K)

    def observe(self, arm, f, y, c, g, kappa_xx) -> float:
        p_I, max_eta = self.p[arm], max(self.eta)
        self.squared_gradients[arm] += (g / p_I) * (g / p_I) * kappa_xx  # squared norm of g_tilde kappa(x, .)
        lam = self.U / (math.sqrt(2) * math.sqrt(1 + self.squared_gradients[arm]))
        c = c / self.l_max
        c_tilde = c / p_I if p_I > max_eta else c / (p_I + max_eta)
        self.q = tsallis_step(self.q, self.eta, c_tilde, arm)
        self.p = (1 - self.delta) * self.q + self.delta / self.K
        for i in range(self.K):
            if 1 / self.p[i] > self.rho[i]:  # rising rates, by the new p
                self.rho[i] = 2 / self.p[i]
                self.eta[i] = self.upsilon * self.eta[i]
        return lam


# ---- "A round". The three players return rows (arm, p of the arm, prediction, loss) and the last p
def draw(p, u: float) -> int:
    """1: the first i with u < p_1 + ... + p_i, the last arm if rounding leaves none."""
    for i in range(len(p)):
        if u < sum(p[: i + 1]):
            return i
    return len(p) - 1


def play_bandit(selector, hypotheses, X, y, loss, U, uniforms):
    rows = []
    for x_t, y_t, u_t in zip(X, y, uniforms, strict=True):
        arm = draw(selector.p, u_t)  # 1
        p_I = selector.p[arm]
        f = hypotheses[arm].value(x_t)  # 2
        c, g = loss_value(loss, f, y_t), loss_slope(loss, f, y_t)  # 3
        lam = selector.observe(arm, f, y_t, c, g, hypotheses[arm].kappa_xx(x_t))  # 5, which needs nothing of 4
        hypotheses[arm].add(-lam * g / p_I, x_t, f)  # 4
        if selector.projects:
            hypotheses[arm].project(U)
        rows.append((arm, p_I, f, c))
    return rows, selector.p


def play_raker(hypotheses, X, y, loss, T, s):  # "Raker"
    rows, K = [], len(hypotheses)
    p, L = np.full(K, 1 / K), np.zeros(K)
    eta = s / math.sqrt(T)
    m = 0.01 if loss in REGRESSION else 0.005
    l_max = 1.0 if loss == "square" else 2.0
    for x_t, y_t in zip(X, y, strict=True):
        f_i = [h.value(x_t) for h in hypotheses]
        f = sum(p[i] * f_i[i] for i in range(K))
        rows.append((-1, math.nan, f, loss_value(loss, f, y_t)))
        for i, h in enumerate(hypotheses):
            L[i] += (loss_value(loss, f_i[i], y_t) + m * (h.w @ h.w)) / l_max  # before the update
            h.w = (1 - 2 * eta * m) * h.w - eta * loss_slope(loss, f_i[i], y_t) * h.z(x_t)
        p = exponential_weights(eta, L)
    return rows, p


def play_lkmbooks(kernels, X, y, loss, T, B, uniforms):  # "LKMBooks"
    rows, K = [], len(kernels)
    p, S, stored = np.full(K, 1 / K), 1.0, []  # stored: (x_j, a_j), shared by all kernels
    eta = math.sqrt(8 * math.log(K) / T)
    n = {"square": 1 / 4, "huber": 1 / 4, "absolute": 1 / 5}.get(loss, 1 / 7)
    lam = math.sqrt((1 + n) * B) / (math.sqrt(1 - n) * T) if loss in REGRESSION else 10 / math.sqrt(T)
    for t, (x_t, y_t, u_t) in enumerate(zip(X, y, uniforms, strict=True), start=1):
        f_i = np.array([float(sum(a * kappa(v, x_t) for v, a in stored)) for kappa in kernels])
        f = sum(p[i] * f_i[i] for i in range(K))
        rows.append((-1, math.nan, f, loss_value(loss, f, y_t)))
        g = loss_slope(loss, f, y_t)
        r = min(f_i) if g > 0 else max(f_i)
        p = p * np.exp(-eta * g * (f_i - r) / S)
        p = p / p.sum()
        S = max(S, max(f_i) - min(f_i))  # after its use
        h = min(1.0, B / ((1 - n) * T ** (1 - n) * t**n))
        if u_t < h and len(stored) < B:
            stored.append((x_t, -lam * g / h))  # also when g = 0
    return rows, p


def trace(algorithm, X, y, *, loss, widths=None, kernels=None, n_features=400, budget=200, radius=None, step_scale=None,
          settings="paper", horizon=None, uniforms, frequencies=None):  # fmt: skip
    """Play all rounds: -> SimpleNamespace(arms, probabilities, predictions, losses, weights).

    `kernels` replaces `widths`: callables kappa(x, v) for OKS, OKS++, IOKS and LKMBooks, frequency matrices (D, d) for
    the others. `n_features` counts only where neither such matrices nor `frequencies` (standard normal) are given.
    """
    if algorithm not in ALGORITHMS or loss not in LOSSES or settings not in ("paper", "published"):
        raise ValueError(f"unknown algorithm, loss or settings: {algorithm!r}, {loss!r}, {settings!r}")
    X, y = np.asarray(X, dtype=float), [float(v) for v in y]
    T = len(y) if horizon is None else horizon
    U = (15.0 if loss == "logistic" else 1.0) if radius is None else radius  # the defaults: "Losses"
    s = (25.0 if algorithm != "raker" and loss in ("logistic", "square") else 5.0) if step_scale is None else step_scale
    widths = WIDTHS if widths is None else widths
    if algorithm == "raker" and settings == "published":
        widths = np.cumprod(widths)  # "Published settings": the running products
    random_features = algorithm == "raker" or algorithm.startswith("rf-")
    if kernels is None and random_features:
        if frequencies is None:
            frequencies = np.random.default_rng(0).standard_normal((n_features, X.shape[1]))
        kernels = [np.asarray(frequencies) / sigma for sigma in widths]  # one u serves all widths
    elif kernels is None:
        kernels = [gaussian(sigma) for sigma in widths]

    hypotheses = [Features(k) if random_features else Exact(k) for k in kernels]
    if algorithm == "lkmbooks":
        rows, p = play_lkmbooks(kernels, X, y, loss, T, budget, uniforms)
    elif algorithm == "raker":
        rows, p = play_raker(hypotheses, X, y, loss, T, s)
    else:
        selector = {"oks": OKS, "oks++": OKSPlus, "ioks": IOKS}[algorithm.removeprefix("rf-")]
        selector = selector(len(kernels), T, loss, U, s, settings)
        rows, p = play_bandit(selector, hypotheses, X, y, loss, U, uniforms)
    arms, probabilities, predictions, losses = np.array(rows, dtype=float).reshape(-1, 4).T
    return SimpleNamespace(
        arms=arms.astype(int), probabilities=probabilities, predictions=predictions, losses=losses, weights=np.array(p)
    )
