"""The kernels, one file each: a file in this folder with a class that says all that contract.py asks for is one."""

from kernelpick.core.kernels.contract import Kernel, Stationary, complete, sound
from kernelpick.core.kernels.families import OURS, take_in_ours
from kernelpick.core.kernels.frequencies import draw_frequencies
from kernelpick.core.numerics.compilation import takes_in
from kernelpick.core.parts import classes_beside

__all__ = ["KERNELS", "Kernel", "Stationary", "add_kernel", "check_kernel", "draw_frequencies", "name_of"]

take_in_ours([cls for cls in classes_beside(__file__, __name__) if "value" in vars(cls)])
KERNELS: dict[str, type[Kernel]] = {cls.__name__: cls for cls in OURS}  # and those that are added


def add_kernel(name: str, kernel: type[Kernel]) -> type[Kernel]:
    """Take a kernel from outside the package, by a name for model files."""
    complete(kernel)
    if KERNELS.get(name, kernel) in OURS:
        raise ValueError(f"There is a kernel {name!r} in kernelpick: choose another name.")
    takes_in(kernel.__module__)
    KERNELS[name] = kernel
    return kernel


def name_of(kernel: Kernel) -> str:
    """What a model file calls the kernel."""
    for name, cls in KERNELS.items():
        if cls is type(kernel):
            return name
    raise ValueError(
        f"The kernel {type(kernel).__name__} has no name to be saved by: kernelpick.register(name, "
        f"{type(kernel).__name__}) gives it one."
    )


def check_kernel(kernel: object, place: str) -> None:
    """Refuse what is no kernel, or one that says too little; place tells where it was given."""
    if not isinstance(kernel, Kernel) or type(kernel) in (Kernel, Stationary):
        raise ValueError(f"{place} is {kernel!r}; it must be a kernel such as kernelpick.Gaussian(0.5).")
    if type(kernel) not in OURS:
        complete(type(kernel))
        sound(kernel)
