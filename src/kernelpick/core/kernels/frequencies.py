"""Frequencies of random features: how single coordinates are distributed, alone or in orthogonal groups."""

from collections import deque
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import islice
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from kernelpick.core.numerics import rng

STRUCTURED = "structured"
AT_A_TIME = 1024  # numbers that are drawn in a step
FEWEST = 64  # padded inputs: with fewer, signs are too few for rows that are nearly normal


class Spectrum(NamedTuple):
    """A distribution of the coordinates of a frequency; kernels with the same one share their projections."""

    name: str
    # Of each the first features are the same, however many there are.
    matrix: Callable[[int, int, int], np.ndarray]  # (features, inputs, seed) -> (features, inputs)
    column: Callable[[int, str, int], np.ndarray]  # (seed, name of a column, features) -> (features,)


class Longest:
    """Numbers that are drawn again and again, some of the first of them each time: the most so far are kept.

    draw(count, *what) -> (count, ...); most: of how many such rows, those that were asked for last.
    """

    def __init__(self, draw: Callable[..., np.ndarray], most: int) -> None:
        self.draw = draw
        self.kept = lru_cache(maxsize=most)(lambda *what: [np.empty(0)])

    def __call__(self, count: int, *what: Any) -> np.ndarray:
        """Nobody may write to it."""
        kept = self.kept(*what)
        if len(kept[0]) < count:
            kept[0] = self.draw(count, *what)
        return kept[0][:count]


def draw_frequencies(
    n_features: int, n_inputs: int, *, orthogonal: bool | str = False, random_state: int = 0
) -> np.ndarray:
    """Frequencies for random features, an (n_features, n_inputs) array of standard normal rows.

    With ``orthogonal=True`` the rows come in groups of n_inputs that are orthogonal to each other, which lowers the
    variance (Yu and others, "Orthogonal random features", 2016); every single row is still standard normal. With
    "structured" they are so to a good approximation, and are products of random signs and Hadamard matrices, with which
    rows are multiplied in fewer steps.

    >>> from kernelpick import draw_frequencies
    >>> u = draw_frequencies(4, 4, orthogonal=True)
    >>> bool(abs(u @ u.T - (u**2).sum(1) * [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]).max() < 1e-9)
    True
    """
    if orthogonal == STRUCTURED:
        return dense(*structured(n_features, n_inputs, random_state), n_inputs)
    if orthogonal:
        return drawing(n_features, n_inputs, random_state).frequencies().copy()
    return _independent(n_features, n_inputs, random_state).copy()


def _normals(n_features: int, n_inputs: int, random_state: int) -> np.ndarray:
    return rng.normals(random_state, "frequencies", n_features * n_inputs).reshape(n_features, n_inputs)


_independent = Longest(_normals, 4)


class Drawing:
    """Orthogonal frequencies, in steps: all of them take as long as many rounds, and may be drawn beside these."""

    def __init__(self, *what: int) -> None:
        self._what, self._lock, self._steps = what, Lock(), self._drawn(*what)
        self._found: np.ndarray | None = None

    def _drawn(self, n_features: int, n_inputs: int, seed: int) -> Iterator[None]:
        groups, columns = -(-n_features // n_inputs), min(n_features, n_inputs)  # a group needs no more than its rows
        plain, spare = np.empty(n_features * n_inputs), np.empty(groups * n_inputs * columns)
        for name, numbers in (("frequencies", plain), ("directions", spare)):
            for start in range(0, len(numbers), AT_A_TIME):
                some = numbers[start : start + AT_A_TIME]
                some[:] = rng.normals(seed, name, len(some), start)
                yield
        rows = spare.reshape(groups, n_inputs, columns).transpose(0, 2, 1)
        done = np.empty_like(rows)
        yield from _orthonormal(rows, done)
        lengths = np.linalg.norm(plain.reshape(n_features, n_inputs), axis=1)
        directions = done.reshape(-1, n_inputs)[:n_features]
        self._found = np.ascontiguousarray(directions * lengths[:, None])

    def steps(self) -> Iterator[None]:
        """Those that are left."""
        while self._found is None:
            self._go_on(1)
            yield

    def frequencies(self) -> np.ndarray:
        """(features, inputs), which nobody may write to."""
        self._go_on(None)
        assert self._found is not None
        return self._found

    def _go_on(self, steps: int | None) -> None:
        """So many steps, or all; what was interrupted, as by Ctrl-C, begins again."""
        with self._lock:
            try:
                deque(islice(self._steps, steps), maxlen=0)
            except BaseException:
                self._steps = self._drawn(*self._what)
                raise


drawing = lru_cache(maxsize=4)(Drawing)  # kept, since a model that starts several times draws the same ones each time
_of_column = Longest(lambda count, column, name, seed: column(seed, name, count), 2048)


def of_columns(spectrum: Spectrum, names: tuple[str, ...], n_features: int, random_state: int) -> np.ndarray:
    """(columns, features) those of columns by their names; kept, as above."""
    drawn = np.empty((len(names), n_features))
    for column, name in enumerate(names):
        drawn[column] = _of_column(n_features, spectrum.column, name, random_state)
    return drawn


def _orthonormal(rows: np.ndarray, done: np.ndarray) -> Iterator[None]:
    """The rows of each matrix (groups, count, length), made orthonormal one after the other (Gram and Schmidt, twice).

    Not by a library's decomposition: that is different from machine to machine, and its threads wait for each other
    on machines that have other work.
    """
    for j in range(rows.shape[1]):
        row = rows[:, j].copy()
        for _ in range(2):  # the second time removes what rounding has left
            shares = np.einsum("gjk,gk->gj", done[:, :j], row)
            row -= np.einsum("gjk,gj->gk", done[:, :j], shares)
        done[:, j] = row / np.sqrt(np.einsum("gk,gk->g", row, row))[:, None]
        yield


class Structured(NamedTuple):
    """Frequency j of block b is scales[b n + j] times row j of H S_2 H S_1 H S_0, cut to the inputs; n is the number of
    inputs, padded to a power of two. H is the Hadamard matrix of that order, S_i are random signs.

    H/sqrt(n) and S_i are orthogonal, so rows have the length n^(3/2); the length of a normal vector of n dimensions
    takes its place. What the cut leaves is then that of the inputs' dimension.
    """

    signs: np.ndarray  # (blocks, 3, n) -1 or 1
    scales: np.ndarray  # (features,)


def block_of(n_inputs: int) -> int:
    """The frequencies of a block: the inputs, padded to a power of two."""
    return max(FEWEST, 1 << (n_inputs - 1).bit_length())


def structured(n_features: int, n_inputs: int, seed: int) -> Structured:
    """The signs and scales of so many frequencies."""
    from scipy.special import gammaincinv

    n = block_of(n_inputs)
    blocks = -(-n_features // n)
    signs = np.where(rng.uniforms(seed, "frequencies/signs", 0, 3 * blocks * n) < 0.5, -1.0, 1.0)
    u = rng.uniforms(seed, "frequencies/lengths", 0, n_features)
    lengths = np.sqrt(2.0 * gammaincinv(0.5 * n, 0.5 * 2.0**-53 + u))  # chi^2 is twice a gamma variable; u may be 0
    return Structured(signs.reshape(blocks, 3, n), lengths * n**-1.5)


def dense(signs: np.ndarray, scales: np.ndarray, n_inputs: int) -> np.ndarray:
    """Structured frequencies as a matrix (features, n_inputs)."""
    rows = _transformed(np.eye(signs.shape[2]))
    blocks = [_transformed(_transformed(rows * last) * middle) * first for first, middle, last in signs]
    return np.ascontiguousarray(np.concatenate(blocks)[: len(scales), :n_inputs] * scales[:, None])


def _transformed(rows: np.ndarray) -> np.ndarray:
    """rows H."""
    n, far = rows.shape[1], 1
    while far < n:
        pairs = rows.reshape(len(rows), n // (2 * far), 2, far)
        rows = np.stack([pairs[:, :, 0] + pairs[:, :, 1], pairs[:, :, 0] - pairs[:, :, 1]], axis=2).reshape(-1, n)
        far *= 2
    return rows


def _cauchy(u: np.ndarray) -> np.ndarray:
    return np.tan(np.pi * (u - 0.5))


def _normal_matrix(n_features: int, n_inputs: int, seed: int) -> np.ndarray:
    return draw_frequencies(n_features, n_inputs, random_state=seed)


def _normal_column(seed: int, name: str, n_features: int) -> np.ndarray:
    return rng.normals(seed, f"frequencies/{name}", n_features)


def _cauchys(n_features: int, n_inputs: int, seed: int) -> np.ndarray:
    u = rng.uniforms(seed, "frequencies/laplacian", 0, n_features * n_inputs).reshape(n_features, n_inputs)
    return _cauchy(u)


_cauchy_matrix = Longest(_cauchys, 4)


def _cauchy_column(seed: int, name: str, n_features: int) -> np.ndarray:
    return _cauchy(rng.uniforms(seed, f"frequencies/laplacian/{name}", 0, n_features))


NORMAL = Spectrum("normal", _normal_matrix, _normal_column)  # every kernel of the Euclidean distance, by a radial part
CAUCHY = Spectrum("cauchy", _cauchy_matrix, _cauchy_column)  # the Laplacian kernel: every coordinate on its own
