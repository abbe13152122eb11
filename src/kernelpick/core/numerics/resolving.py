"""What Numba has found out about a call is asked once: which of its implementations is for arguments of these types.

For every ``+`` and every ``a[i]`` in a function, and once more when code is made of it, Numba goes through all that has
ever been declared for that operator, dozens of declarations of strings, sets and dates among them, until one takes the
arguments; that is a seventh of what compiling costs before LLVM. The answer depends on the types of the arguments
and on the options that the function is compiled with. While functions of this package are compiled, it is remembered.

So is the type of an attribute of a tuple or an array. And what has no implementation under a name, such as
``__array__`` for an array, has none a moment later: Numba would look through all that it has imported, and ask again.
"""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from kernelpick.core.numerics.replacing import replaced

remembering: Callable[[], contextlib.AbstractContextManager[None]] = contextlib.nullcontext

try:
    from numba.core import types
    from numba.core.base import BaseContext
    from numba.core.targetconfig import ConfigStack
    from numba.core.types.functions import BaseFunction
    from numba.core.typing.context import BaseContext as BaseTypingContext

    _resolve: Any = BaseFunction.get_call_type
    _implementation = BaseContext.get_function
    _resolve_attribute: Any = BaseTypingContext.resolve_getattr
    _attributes: dict[Any, Any] = {}
    _answers: dict[Any, tuple[Any, Any]] = {}
    _options: list[Any] = []  # all that were seen; where they stand there is their number
    _latest: tuple[Any, int] = None, -1

    def _number_of_options() -> int:
        """Of the function that is being compiled. Numba compares them one by one, which takes longer than the rest."""
        global _latest
        top = ConfigStack.top_or_none()
        if top is not _latest[0]:
            if top not in _options:
                _options.append(top)
            _latest = top, _options.index(top)
        return _latest[1]

    def _remembered(self: Any, context: Any, args: Any, kws: Any) -> Any:
        """In the place of Numba's own: the signature of a call. A type is known by a number that no other type gets."""
        named = [(name, of._code) for name, of in kws.items()]
        asked = self._code, context, *[of._code for of in args], *named, _number_of_options()
        if asked in _answers:
            signature, implementation = _answers[asked]
            # Where options differ, one signature has several implementations: the one that was asked for last is taken.
            self._impl_keys[signature.args] = implementation
        else:
            signature = _resolve(self, context, args, kws)
            _answers[asked] = signature, self._impl_keys[signature.args]
        return signature

    def _asked_once(self: Any, fn: Any, sig: Any, _firstcall: bool = True) -> Any:
        """In the place of Numba's own: what LLVM's code is made by. Functions may have been declared meanwhile."""
        return _implementation(self, fn, sig, _firstcall and not isinstance(fn, str))

    def _attribute(self: Any, of: Any, name: str) -> Any:
        """In the place of Numba's own: the type of an attribute."""
        if not isinstance(of, types.BaseTuple | types.Array):
            return _resolve_attribute(self, of, name)
        asked = of._code, self, name  # type: ignore[union-attr]
        if asked not in _attributes:
            found = _resolve_attribute(self, of, name)
            if found is None:
                return None
            _attributes[asked] = found
        return _attributes[asked]

    @contextlib.contextmanager
    def _remembering() -> Iterator[None]:
        with (
            replaced(BaseTypingContext, "resolve_getattr", _attribute),
            replaced(BaseFunction, "get_call_type", _remembered),
            replaced(BaseContext, "get_function", _asked_once),
        ):
            yield

    _known = "_impl_keys" in BaseFunction.get_impl_key.__code__.co_names
    if _known and hasattr(types.int64, "_code") and "_firstcall" in _implementation.__code__.co_varnames:
        remembering = _remembering
except (ImportError, AttributeError):
    pass
