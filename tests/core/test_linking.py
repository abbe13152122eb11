"""Inner functions are linked once, into what Python calls; code of others may call them as any function of Numba's."""

import gc
import signal

import numba
import numpy as np
import pytest
from numba.core.codegen import JITCodeLibrary

from kernelpick.core.numerics.compilation import compiled, inner
from kernelpick.core.numerics.linking import INNER

pytestmark = pytest.mark.skipif(
    numba.config.DISABLE_JIT or INNER is None, reason="needs Numba's compiler as we know it"
)


@inner
def twice(x):
    return 2.0 * x


@inner
def twice_and_one(x):
    return twice(x) + 1.0


def test_code_of_others_gets_an_inner_function_with_all_that_it_calls():
    @numba.njit
    def foreign(x):
        return twice_and_one(x) + twice(x)

    assert foreign(3.0) == 13.0


def test_an_inner_function_serves_several_outer_ones():
    def first(x):
        return twice_and_one(x)

    def second(x):
        return twice_and_one(twice(x))

    assert compiled(first)(1.0) == 3.0 and compiled(second)(1.0) == 5.0


def test_garbage_is_collected_again_after_compiling_and_after_a_failure():
    def right(x):
        return twice(x)

    def wrong(x):
        return x.no_such_attribute

    assert compiled(right)(1.0) == 2.0 and gc.isenabled()
    with pytest.raises(numba.TypingError):
        compiled(wrong)(np.zeros(1))
    assert gc.isenabled()


def test_what_a_program_has_frozen_stays_frozen():
    def once_more(x):
        return twice(x)

    def and_again(x):
        return twice(x)

    gc.unfreeze()
    compiled(once_more)(1.0)
    assert gc.get_freeze_count() == 0
    gc.freeze()
    try:
        frozen = gc.get_freeze_count()
        compiled(and_again)(1.0)
        assert gc.get_freeze_count() >= frozen - 1000 > 0  # but for what ended meanwhile
    finally:
        gc.unfreeze()


def test_what_compiling_leaves_is_not_looked_at_in_the_next_moment():
    def at_last(x):
        total = 0.0
        for i in range(3):
            for j in range(i):
                total += j * twice(x)
        return total

    looked_at: list[int] = []

    def note(phase, info):
        if phase == "start":
            looked_at.append(len(gc.get_objects(generation=0)))

    gc.collect()
    gc.callbacks.append(note)
    try:
        compiled(at_last)(1.0)
        kept = [[] for _ in range(5000)]
    finally:
        gc.callbacks.remove(note)
    assert len(kept) == 5000 and 0 < max(looked_at) < 2 * gc.get_threshold()[0]


def test_a_program_that_collects_no_garbage_goes_on_so():
    def another(x):
        return twice(x)

    gc.disable()
    try:
        compiled(another)(1.0)
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_an_interrupt_while_machine_code_is_made_is_heard_after_it(monkeypatch):
    """LLVM calls Python back then, where an exception was lost, and the code with it; or while code is loaded that an
    earlier run of this test has kept."""
    finalize, finished = JITCodeLibrary._finalize_specific, []

    def interrupted(self):
        signal.raise_signal(signal.SIGINT)
        finalize(self)
        finished.append(self)

    monkeypatch.setattr(JITCodeLibrary, "_finalize_specific", interrupted)

    def half(x):
        return twice(x) / 4.0

    function, before = compiled(half), signal.signal(signal.SIGINT, signal.default_int_handler)  # workers hear nothing
    try:
        with pytest.raises(KeyboardInterrupt):
            function(3.0)
    finally:
        signal.signal(signal.SIGINT, before)
    monkeypatch.undo()
    assert finished and function(3.0) == 1.5


def test_code_of_others_with_the_same_functions_in_it_has_its_own():
    """Ours are for the arguments that they are called with here, and LLVM finds functions by their names."""

    def both(n):
        found = {"a": n, "b": 2 * n}
        return found["a"], found["b"], len(found)

    assert compiled(both)(4) == (4, 8, 2)
    assert numba.njit(both)(5) == (5, 10, 2)


def test_functions_of_others_that_run_in_parallel_are_compiled_in_ours():
    @numba.njit(parallel=True)
    def doubled(n):
        numbers = np.zeros(n)
        for i in numba.prange(n):
            numbers[i] = 2.0 * i
        return numbers.sum()

    assert compiled(lambda n: doubled(n))(6) == 30.0
