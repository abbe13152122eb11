"""The boosted trees and the stack of docs/algorithms.md ("Companions"), written plainly: lists, dicts, all at once.

A tree is grown at the very moment when it is begun, and waits in `grown` until it speaks.
"""

import math
from itertools import pairwise

import numpy as np
from naive_second_order import parabola

from kernelpick.core.numerics.rng import uniforms

KEPT, BEGIN, FOREST, MOST, LEAVES, FEWEST, RATE, WIDTH, SEEN, TURNS = 4096, 512, 40, 512, 32, 10, 0.15, 32, 1024, 256


def edges_of(values):
    """At most 63 thresholds between values."""
    values = sorted(values)
    distinct = sorted(set(values))
    if len(distinct) <= 64:
        return [0.5 * a + 0.5 * b for a, b in pairwise(distinct)]
    places = [j * len(values) // 64 for j in range(1, 64)]
    edges = {0.5 * values[p - 1] + 0.5 * values[p] for p in places}
    return sorted(edge for edge in edges if edge < values[-1])


def gap(count):
    return 32 if count < 4096 else 64 if count < 8192 else 128


def best_split(rows, bins, columns, G, H):
    """(gain, column, bin) of the best split of these rows by columns in their order; no column if there is none."""
    best = (1e-9, None, None)
    whole = G[rows].sum() ** 2 / (H[rows].sum() + 1)
    for column in columns:
        of = bins[rows, column]
        g, h, n = (np.bincount(of, each, minlength=64).cumsum() for each in (G[rows], H[rows], np.ones(len(rows))))
        gains = g**2 / (h + 1) + (g[-1] - g) ** 2 / (h[-1] - h + 1) - whole
        gains[(n < FEWEST) | (n[-1] - n < FEWEST)] = 0.0
        for b in np.flatnonzero(gains > best[0]):
            if gains[b] > (1 + 1e-9) * best[0]:
                best = (gains[b], column, b)
    return best


def grown_tree(bins, columns, G, H):
    """A tree as nested tuples (column, bin, left, right), or a number."""
    leaves = [np.arange(len(G))]
    splits = [best_split(leaves[0], bins, columns, G, H)]
    paths = [()]
    nodes = {}
    while len(leaves) < LEAVES:
        at = 0
        for i in range(len(leaves)):
            at = i if splits[i][0] > (1 + 1e-9) * splits[at][0] else at
        _, column, b = splits[at]
        if column is None:
            break
        rows, path = leaves[at], paths[at]
        nodes[path] = (column, b)
        below = bins[rows, column] <= b
        for place, part, side in ((at, rows[below], 0), (len(leaves), rows[~below], 1)):
            new = (part, best_split(part, bins, columns, G, H), (*path, side))
            for own, value in zip((leaves, splits, paths), new, strict=True):
                own[place:] = [value, *own[place + 1 :]]
    says = {path: -RATE * G[rows].sum() / (H[rows].sum() + 1) for path, rows in zip(paths, leaves, strict=True)}

    def nested(path):
        return says[path] if path in says else (*nodes[path], nested((*path, 0)), nested((*path, 1)))

    return nested(())


def values_of(tree, bins):
    """What a tree says to rows, whose bins these are."""
    if not isinstance(tree, tuple):
        return np.full(len(bins), tree)
    column, b, left, right = tree
    return np.where(bins[:, column] <= b, values_of(left, bins), values_of(right, bins))


class Booster:
    def __init__(self, loss, inputs, outputs, seed, steady=False):
        self.loss, self.inputs, self.outputs, self.seed, self.steady = loss, inputs, outputs, seed, steady
        self.rows, self.targets, self.weights, self.trees = [], [], [], []
        self.edges = [[] for _ in range(inputs)]
        self.count, self.begun, self.grown = 0, 0, None

    def bins(self, rows):
        """The number of edges below each value."""
        return np.stack([np.searchsorted(e, x) for e, x in zip(self.edges, np.transpose(rows), strict=True)], axis=1)

    def predict(self, x):
        if not self.trees:
            return None
        return self.scores(self.trees, self.bins([x]))[0]

    def scores(self, trees, bins):
        out = np.zeros((len(bins), self.outputs))
        for output, tree in trees:
            out[:, output] += values_of(tree, bins)
        return out

    def learn(self, x, y, weight=1.0):
        self.rows, self.targets = [*self.rows, list(x)][-KEPT:], [*self.targets, list(y)][-KEPT:]
        self.weights = [*self.weights, weight][-KEPT:]
        self.count += 1
        within = min(max(2 * self.inputs, 64), 256)
        if self.count >= BEGIN:
            for k in range(self.inputs):
                row = -(-(k + 1) * within // self.inputs) - 1 if self.steady else 0  # steadily, one after the other
                if not self.edges[k] and self.count % BEGIN == row:
                    self.edges[k] = edges_of([row[k] for row in self.rows[-BEGIN:]])
                    if self.edges[k]:
                        for row in self.rows[:-BEGIN]:  # nobody knows what it was
                            row[k] = 0.0
        if self.steady:
            apart = 24 if self.begun < FOREST else gap(self.count)
            if (self.begun or self.count >= BEGIN + within) and self.count % apart == 0:
                self.speak()
                self.grow()
            return
        if self.count == BEGIN:
            for _ in range(FOREST):
                self.grow()
                self.speak()
        if self.count >= BEGIN and self.count % gap(self.count) == 0:
            self.speak()
            self.grow()

    def grow(self):
        output, turn = self.begun % self.outputs, self.begun % TURNS
        chances = [uniforms(self.seed, "trees", TURNS * k + turn, 1)[0] for k in range(self.inputs)]
        columns = [k for k in sorted(range(self.inputs), key=chances.__getitem__) if self.edges[k]][:WIDTH]
        while sum(len(self.edges[k]) + 1 for k in columns) > SEEN:
            columns.pop()
        bins = self.bins(self.rows)
        scores = self.scores(self.trees[1:] if len(self.trees) == MOST else self.trees, bins)
        slopes = [self.slopes(f, y, output) for f, y in zip(scores, self.targets, strict=True)]
        G, H = (np.array(self.weights)[:, None] * slopes).T
        self.grown = (output, grown_tree(bins, columns, G, H))
        self.begun += 1

    def slopes(self, scores, y, output):
        if self.loss == "logistic":
            if self.outputs == 1:
                share = 1 / (1 + math.exp(-scores[0]))
            else:
                share = math.exp(scores[output]) / sum(map(math.exp, scores))
            return share - (y[output] > 0), share * (1 - share)
        return parabola(self.loss, scores[output], y[output], 0.0)

    def speak(self):
        if self.grown is not None:
            self.trees = [*self.trees, self.grown][-MOST:]
            self.grown = None


class Stack:
    """Of n parts, for one output."""

    def __init__(self, loss, n):
        self.loss, self.n = loss, n
        self.w, self.P, self.targets = np.full(n, 1 / n), 0.1 * np.eye(n), []

    def predict(self, z):
        low, high = -30.0, 30.0
        if self.loss != "logistic":
            low, high = min(self.targets), max(self.targets)
            low, high = low - 0.1 * (high - low), high + 0.1 * (high - low)
        return float(min(max(self.w @ z, low), high))

    def see(self, y):
        self.targets.append(y)

    def learn(self, z, y, weight=1.0):
        self.see(y)
        f, z = float(self.w @ z), np.asarray(z)
        self.P /= 0.9998
        self.P *= min(1.0, 0.1 * self.n / np.trace(self.P))
        v = z @ self.P @ z
        g, h = parabola(self.loss, f, y, weight * v)
        Pz = self.P @ z
        self.P -= weight * h * np.outer(Pz, Pz) / (1 + weight * h * v)
        self.w -= weight * g * self.P @ z
