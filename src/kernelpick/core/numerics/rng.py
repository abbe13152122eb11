"""One seed, many named streams of numbers, each number found by its position.

Randomness is counted, not consumed: the number that decides round t is a function of (seed, name of the stream, t).
Predicting twice changes nothing, and a stream that is resumed or cut differently is the same stream.
"""

import hashlib

import numpy as np

GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # SplitMix64: Steele, Lea, Flood, OOPSLA 2014
MIX_1, MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def uniforms(seed: int, name: str, start: int, count: int) -> np.ndarray:
    """Numbers start .. start + count - 1 of the stream, in [0, 1).

    >>> from kernelpick.core.numerics.rng import uniforms
    >>> bool((uniforms(7, "arms", 0, 9)[4:] == uniforms(7, "arms", 4, 5)).all())
    True
    """
    key = np.frombuffer(hashlib.blake2b(f"{seed}/{name}".encode(), digest_size=8).digest(), "<u8")
    z = key + np.arange(start + 1, start + count + 1, dtype=np.uint64) * GOLDEN
    z = (z ^ (z >> np.uint64(30))) * MIX_1
    z = (z ^ (z >> np.uint64(27))) * MIX_2
    return ((z ^ (z >> np.uint64(31))) >> np.uint64(11)).astype(np.float64) * 2.0**-53


def normals(seed: int, name: str, count: int, start: int = 0) -> np.ndarray:
    """Standard normal numbers of the stream (Box and Muller), from the first on or a later one."""
    u = uniforms(seed, name, 2 * start, 2 * count)
    return np.sqrt(-2.0 * np.log1p(-u[0::2])) * np.cos(2.0 * np.pi * u[1::2])
