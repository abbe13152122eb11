"""Functions that only compiled code calls. Numba hears of one when it compiles code that does so.

Most processes load what is kept, and have no use for the hundreds of objects that Numba would make of them.
"""

from collections.abc import Callable
from functools import cached_property, update_wrapper
from typing import Any

import numba
from numba.core import types


class Inside:
    """A function, and how it is compiled."""

    def __init__(self, function: Callable[..., Any], options: Any) -> None:
        self.py_func, self._options = function, options
        update_wrapper(self, function)

    def __call__(self, *args: Any, **named: Any) -> Any:
        return self.py_func(*args, **named)

    def __reduce__(self) -> str:
        """In a pickle it is a name, as a function is."""
        return self.py_func.__qualname__

    @cached_property
    def dispatcher(self) -> Any:
        """Compile once for all whole numbers; Numba would do so for each number that is written out in a call."""
        dispatcher = numba.njit(**self._options)(self.py_func)
        template = dispatcher.get_call_template
        dispatcher.get_call_template = lambda args, kws: template(tuple(map(types.unliteral, args)), kws)
        return dispatcher

    @property
    def _numba_type_(self) -> Any:
        """What Numba asks for where it finds this in a function."""
        return types.Dispatcher(self.dispatcher)  # type: ignore[no-untyped-call]
