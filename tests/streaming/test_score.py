"""Errors so far, beside a plain second counting, and whatever the cut."""

import math

import numpy as np
import pytest

from kernelpick.streaming.score import Classes, Numbers


def cut(length, seed):
    marks = np.sort(np.random.default_rng(seed).integers(0, length + 1, size=5)).tolist()
    return list(zip([0, *marks], [*marks, length], strict=True))


@pytest.mark.parametrize("seed", range(3))
def test_numbers(seed):
    rng = np.random.default_rng(seed)
    said, targets = rng.normal(size=500) * 10, rng.normal(size=500) + 100
    wrong, squares, guess, seen = 0.0, 0.0, 0.0, []
    for one, target in zip(said.tolist(), targets.tolist(), strict=True):
        wrong += abs(one - target)
        squares += (one - target) ** 2
        guess += abs((math.fsum(seen) / len(seen) if seen else 0.0) - target)
        seen.append(target)
    score = Numbers()
    for start, stop in cut(500, seed):
        score.add(said[start:stop], targets[start:stop])
        again = Numbers()
        again.restore(score.packed())  # as a checkpoint does
        score = again
    assert (score.rows, score.wrong, score.squares) == (500, wrong, squares)
    assert score.guess == pytest.approx(guess, rel=1e-12)
    whole = Numbers()
    whole.add(said, targets)
    assert whole.packed() == score.packed()


def test_numbers_that_overflow_can_be_kept():
    score, again = Numbers(), Numbers()
    score.add(np.array([0.0, 0.0]), np.array([1e308, -1e308]))
    score.add(np.array([0.0]), np.array([1e308]))
    again.restore(score.packed())
    assert again.packed() == score.packed() and math.isinf(again.squares)


@pytest.mark.parametrize("seed", range(3))
def test_classes(seed):
    rng = np.random.default_rng(seed)
    said, labels = rng.choice(list("abc"), 300).tolist(), rng.choice(list("abc"), 300, p=[0.2, 0.5, 0.3]).tolist()
    guess, usual, counts = 0, None, {}
    for label in labels:
        guess += label != usual
        counts[label] = counts.get(label, 0) + 1
        usual = usual if usual is not None and counts[usual] >= counts[label] else label
    score = Classes()
    for start, stop in cut(300, seed):
        score.add(said[start:stop], labels[start:stop])
        again = Classes()
        again.restore(score.packed())
        score = again
    assert score.wrong == sum(one != other for one, other in zip(said, labels, strict=True))
    assert (score.rows, score.guess, score.counts) == (300, guess, counts)
