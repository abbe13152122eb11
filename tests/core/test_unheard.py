"""What Numba notes of LLVM and of its steps is not told while our functions are compiled, and is before and after."""

import numba
import pytest
from numba.core import event

from kernelpick.core.numerics.compilation import OUTSIDE
from kernelpick.core.numerics.unheard import unheard

pytestmark = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
TELL = event.start_event, event.end_event


def compiled(function):
    """As the package does; but the code is kept nowhere, so that it is compiled each time."""
    return numba.njit(**OUTSIDE)(function)


def heard(kind):
    with event.install_recorder(kind) as recorder:
        event.start_event(kind)
        event.end_event(kind)
    return len(recorder.buffer)


def test_llvm_is_not_heard_and_all_else_is():
    with unheard():
        assert heard("numba:llvm_lock") == 0 and heard("numba:compiler_lock") == 2
    assert heard("numba:llvm_lock") == 2


def test_it_is_heard_again_after_compiling_and_after_a_failure():
    def right(x):
        return x + 1.0

    def wrong(x):
        return x.no_such_attribute

    assert compiled(right)(1.0) == 2.0 and (event.start_event, event.end_event) == TELL
    with pytest.raises(numba.TypingError):
        compiled(wrong)(1.0)
    assert (event.start_event, event.end_event) == TELL


def test_steps_are_not_heard_and_failures_say_in_which_they_came():
    def right(x):
        return x + 2.0

    def wrong(x):
        return x.another_attribute

    with event.install_recorder("numba:run_pass") as recorder:
        assert compiled(right)(1.0) == 3.0
        ours = len(recorder.buffer)
        assert numba.njit(lambda x: x + 3.0)(1.0) == 4.0
    assert ours == 0 and len(recorder.buffer) > 10
    with pytest.raises(numba.TypingError, match="Pass nopython_type_inference"):
        compiled(wrong)(1.0)
