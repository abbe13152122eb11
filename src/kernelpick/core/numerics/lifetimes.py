"""Where variables live is found out when somebody asks.

After each of its steps Numba finds out anew which variables live where in a function, and in ours, which are no
generators, hardly a step wants to know.
"""

import contextlib
from collections.abc import Callable
from functools import partial
from typing import Any

from kernelpick.core.numerics.replacing import replaced

unasked: Callable[[], contextlib.AbstractContextManager[None]] = contextlib.nullcontext

try:
    from numba.core.postproc import PostProcessor, VariableLifetime
    from numba.core.transforms import canonicalize_cfg

    _find_out = PostProcessor.run

    def _when_asked(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
        """In the place of Numba's own: the rest of what it does, for functions of this package."""
        function = self.func_ir
        if emit_dels or function.is_generator or not (function.func_id.modname or "").startswith("kernelpick."):
            _find_out(self, emit_dels, extend_lifetimes)
        else:
            function.blocks = canonicalize_cfg(function.blocks)
            function.variable_lifetime = VariableLifetime(function.blocks)  # which looks when it is asked
            function.generator_info = None

    unasked = partial(replaced, PostProcessor, "run", _when_asked)
except (ImportError, AttributeError):
    pass
