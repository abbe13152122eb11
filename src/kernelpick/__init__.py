"""kernelpick: online kernel learning that picks its own kernel as the data streams by."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# Public names and where they live; they are imported when first used, so that importing the package stays light.
_HOMES = {
    "Cauchy": "kernels",
    "Gaussian": "kernels",
    "KernelClassifier": "sklearn",
    "KernelRegressor": "sklearn",
    "Laplacian": "kernels",
    "Linear": "kernels",
    "Matern32": "kernels",
    "Matern52": "kernels",
    "ModelFileError": "files.container",
    "Polynomial": "kernels",
    "Trace": "tracing",
    "draw_frequencies": "kernels",
    "load": "estimator",
    "trace": "tracing",
}

__all__ = [
    "Cauchy",
    "Gaussian",
    "KernelClassifier",
    "KernelRegressor",
    "Laplacian",
    "Linear",
    "Matern32",
    "Matern52",
    "ModelFileError",
    "Polynomial",
    "Trace",
    "__version__",
    "draw_frequencies",
    "load",
    "trace",
]

if TYPE_CHECKING:
    from kernelpick.estimator import load
    from kernelpick.files.container import ModelFileError
    from kernelpick.kernels import Cauchy, Gaussian, Laplacian, Linear, Matern32, Matern52, Polynomial, draw_frequencies
    from kernelpick.sklearn import KernelClassifier, KernelRegressor
    from kernelpick.tracing import Trace, trace


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'kernelpick' has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(__all__)
