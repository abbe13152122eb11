"""What was found out about a call is remembered while our functions are compiled, and is what Numba would find out."""

import contextlib
import math
import operator
from collections import namedtuple

import numba
import numpy as np
import pytest
from numba.core import types
from numba.core.registry import cpu_target
from numba.core.types.functions import BaseFunction
from numba.extending import overload

from kernelpick.core.numerics.compilation import OUTSIDE, inner
from kernelpick.core.numerics.resolving import remembering

ITS_OWN = BaseFunction.get_call_type
pytestmark = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
VECTOR, MATRIX = types.Array(types.float64, 1, "C"), types.Array(types.float32, 2, "A")
CALLS = [
    (operator.add, (types.int64, types.float64)),
    (operator.add, (types.literal(3), types.int64)),
    (operator.mul, (types.float32, types.boolean)),
    (operator.lt, (types.uint64, types.literal(0))),
    (operator.getitem, (VECTOR, types.int64)),
    (operator.getitem, (MATRIX, types.UniTuple(types.uint64, 2))),
    (operator.getitem, (MATRIX, types.Tuple((types.int64, types.slice2_type)))),
    (operator.setitem, (MATRIX, types.UniTuple(types.int64, 2), types.float64)),
    (len, (VECTOR,)),
    (max, (types.float64, types.int64)),
    (math.sqrt, (types.int64,)),
    (np.exp, (types.float32,)),
    (range, (types.int64, types.literal(9))),
]


def compiled(function):
    """As the package does; but the code is kept nowhere, so that it is compiled each time."""
    return numba.njit(**OUTSIDE)(function)


def resolve(function, args):
    context = cpu_target.typing_context
    context.refresh()
    of = context.resolve_value_type(function)
    signature = of.get_call_type(context, args, {})
    return signature, of.get_impl_key(signature)


@pytest.mark.parametrize(("function", "args"), CALLS)
def test_a_call_is_resolved_as_without(function, args):
    expected = resolve(function, args)
    with remembering():
        first, second = resolve(function, args), resolve(function, args)
    assert first == second == expected and first[0].args == expected[0].args


Pair = namedtuple("Pair", ["one", "other"])


@pytest.mark.parametrize(
    ("of", "name"),
    [
        (types.NamedTuple((types.int64, types.float64), Pair), "other"),
        (types.float64[:, ::1], "shape"),
        (types.float64[:, ::1], "dtype"),
        (types.float64[:, ::1], "no_such_attribute"),
        (types.Module(np), "float64"),
    ],
)
def test_an_attribute_is_what_it_is_without(of, name):
    context = cpu_target.typing_context
    context.refresh()
    expected = context.resolve_getattr(of, name)
    with remembering():
        assert context.resolve_getattr(of, name) == context.resolve_getattr(of, name) == expected


def test_the_implementation_is_the_one_that_was_asked_for_last():
    context = cpu_target.typing_context
    add, args = context.resolve_value_type(operator.add), (types.int64, types.float64)
    with remembering():
        signature = add.get_call_type(context, args, {})
        own = add.get_impl_key(signature)
        add._impl_keys[signature.args] = "of other options"
        assert add.get_call_type(context, args, {}) == signature and add.get_impl_key(signature) is own


def test_numba_has_its_own_again_after_compiling_and_after_a_failure():
    seen = []

    def observed(x):
        return x

    @overload(observed)
    def choose(x):
        seen.append(BaseFunction.get_call_type is ITS_OWN)
        return lambda x: x

    def right(x):
        return observed(x) + 1.0

    def wrong(x):
        return x.no_such_attribute

    assert compiled(right)(1.0) == 2.0 and seen and not any(seen) and BaseFunction.get_call_type is ITS_OWN
    with pytest.raises(numba.TypingError):
        compiled(wrong)(np.zeros(1))
    assert BaseFunction.get_call_type is ITS_OWN


def test_what_is_declared_later_is_heard():
    def doubled(x):
        return x

    @overload(doubled)
    def of_whole_numbers(x):
        return (lambda x: 2 * x) if isinstance(x, types.Integer) else None

    def first(x):
        return doubled(x)

    def second(x):
        return doubled(x)

    with pytest.raises(numba.TypingError):
        compiled(first)(1.5)
    assert compiled(first)(2) == 4

    @overload(doubled)
    def of_others(x):
        return (lambda x: 2.0 * x) if isinstance(x, types.Float) else None

    assert compiled(second)(1.5) == 3.0 and compiled(second)(2) == 4


def test_what_has_no_implementation_is_not_looked_for_twice(monkeypatch):
    context, array = cpu_target.target_context, types.Array(types.float64, 1, "C")
    refreshed = []
    monkeypatch.setattr(context, "refresh", lambda: refreshed.append(1), raising=False)
    for expected, meanwhile in ([1], contextlib.nullcontext), ([1], remembering):
        with meanwhile(), pytest.raises(NotImplementedError):
            context.get_function("__array__", array(array))
        assert refreshed == expected


def test_functions_with_other_options_have_implementations_of_their_own():
    """One counts references, and one does not, for which the same addition is compiled twice."""

    def added(x, y):
        return x + y

    @overload(added)
    def choose(x, y):
        return lambda x, y: x[0] + y[0]

    @inner
    def borrows(x):
        return added(x, x)

    def counts(x):
        return added(x, x) + borrows(x) + added(x, x)

    assert compiled(counts)(np.array([1.5])) == 9.0
