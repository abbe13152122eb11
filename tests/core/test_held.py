"""What compiled code finds at an address, and calls one after the other."""

import copy
from typing import Any

import numpy as np

from kernelpick.core.numerics.compilation import compiled
from kernelpick.core.numerics.held import Held, within
from kernelpick.core.numerics.sequences import Sequence


@compiled
def add_up(held: Any, factor: float, out: np.ndarray) -> int:
    """Something of each part."""
    (rate, on, count, table, books), own = within(held)
    for k in range(table.shape[1]):
        out[k] += factor * (rate * table[1, k] + own[k]) + (100.0 if on else 0.0)
    return int(count) + int(books[0]["rows"])


@compiled
def last_of(out: np.ndarray) -> tuple[int, int]:
    return len(out), int(out[-1])


def held():
    books = np.zeros(1, [("mean", float), ("rows", np.int64)])
    books[0]["rows"] = 5
    return Held(((0.5, True, 7, np.arange(6.0).reshape(2, 3), books), np.array([1.0, 2.0, 3.0])))


def test_compiled_code_finds_what_is_held_and_sees_its_arrays_change():
    there, out = held(), np.zeros(3)
    assert add_up(there, 2.0, out) == 12
    assert out.tolist() == [105.0, 108.0, 111.0]
    there.value[0][3][1, 0], there.value[0][4][0]["rows"] = 9.0, 6
    assert add_up(there, 0.0, out) == 13
    assert add_up(there, 1.0, out) == 13 and out[0] == 205.0 + 104.5 + 1.0


def test_a_copy_is_held_elsewhere():
    there = held()
    other, out = copy.deepcopy(there), np.zeros(3)
    other.value[0][3][:] = 0.0
    add_up(there, 2.0, out)
    assert out.tolist() == [105.0, 108.0, 111.0]
    add_up(other, 1.0, out)
    assert out.tolist() == [206.0, 210.0, 214.0]


def test_a_sequence_calls_one_after_the_other():
    there, out = held(), np.zeros(3)
    calls = [(add_up, (there, 2.0, out)), (last_of, (out,)), (add_up, (there, 1.0, out))]
    sequence, other = Sequence(calls), Sequence(calls[:2])
    assert sequence() == (24, 111)
    assert other() == (12, 327)
    assert out.tolist() == [312.5, 320.0, 327.5]
