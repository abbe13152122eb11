"""Named tuples go from one compiled function to another undivided.

Numba takes a tuple apart where a function is called, and puts it together again where it begins: each array is half a
dozen numbers, a state has dozens of arrays, and a third of the code that was written for LLVM did nothing else. LLVM
can be given a tuple as it is.

It is for tuples of this package, which no function of others has kept compiled code for.
"""

from typing import Any


def hand_over_undivided() -> None:
    """From now on. Where Numba's classes are not what they are expected to be, nothing changes."""
    try:
        from numba.core import types
        from numba.core.datamodel import models
        from numba.core.datamodel.registry import register_default

        usual: Any = models.TupleModel
    except (ImportError, AttributeError):
        return

    class Undivided(usual):  # type: ignore[misc]
        def get_argument_type(self) -> Any:
            return self.get_value_type()

        def as_argument(self, builder: Any, value: Any) -> Any:
            return value

        def from_argument(self, builder: Any, value: Any) -> Any:
            return value

    def model(manager: Any, of: Any) -> Any:
        own = of.instance_class.__module__.partition(".")[0] == __name__.partition(".")[0]
        return (Undivided if own else usual)(manager, of)

    register_default(types.NamedTuple)(model)
