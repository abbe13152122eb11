"""kernelpick: online kernel learning that picks its own kernel as the data streams by."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# Public names and where they live; they are imported when first used, so that importing the package stays light.
_HOMES = {
    "Algorithm": "core.algorithms",
    "Cauchy": "core.kernels.cauchy",
    "Gaussian": "core.kernels.gaussian",
    "Hindsight": "hindsight",
    "KernelClassifier": "sklearn",
    "KernelRegressor": "sklearn",
    "KeyedModels": "keyed",
    "Laplacian": "core.kernels.laplacian",
    "Linear": "core.kernels.linear",
    "Matern32": "core.kernels.matern32",
    "Matern52": "core.kernels.matern52",
    "ModelFileError": "files.container",
    "Polynomial": "core.kernels.polynomial",
    "Stationary": "core.kernels.contract",
    "Trace": "tracing",
    "Traces": "tracing",
    "best_in_hindsight": "hindsight",
    "draw_frequencies": "core.kernels.frequencies",
    "features": "core.feature_map",
    "from_bytes": "estimator",
    "load": "estimator",
    "merge": "merging",
    "register": "core.algorithms",
    "trace": "tracing",
    "traces": "tracing",
    "warm": "warming",
}

__all__ = [
    "Algorithm",
    "Cauchy",
    "Gaussian",
    "Hindsight",
    "KernelClassifier",
    "KernelRegressor",
    "KeyedModels",
    "Laplacian",
    "Linear",
    "Matern32",
    "Matern52",
    "ModelFileError",
    "Polynomial",
    "Stationary",
    "Trace",
    "Traces",
    "__version__",
    "best_in_hindsight",
    "draw_frequencies",
    "features",
    "from_bytes",
    "load",
    "merge",
    "register",
    "trace",
    "traces",
    "warm",
]

if TYPE_CHECKING:
    from kernelpick.core.algorithms import Algorithm, register
    from kernelpick.core.feature_map import features
    from kernelpick.core.kernels.cauchy import Cauchy
    from kernelpick.core.kernels.contract import Stationary
    from kernelpick.core.kernels.frequencies import draw_frequencies
    from kernelpick.core.kernels.gaussian import Gaussian
    from kernelpick.core.kernels.laplacian import Laplacian
    from kernelpick.core.kernels.linear import Linear
    from kernelpick.core.kernels.matern32 import Matern32
    from kernelpick.core.kernels.matern52 import Matern52
    from kernelpick.core.kernels.polynomial import Polynomial
    from kernelpick.estimator import from_bytes, load
    from kernelpick.files.container import ModelFileError
    from kernelpick.hindsight import Hindsight, best_in_hindsight
    from kernelpick.keyed import KeyedModels
    from kernelpick.merging import merge
    from kernelpick.sklearn import KernelClassifier, KernelRegressor
    from kernelpick.tracing import Trace, Traces, trace, traces
    from kernelpick.warming import warm


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'kernelpick' has no attribute {name!r}")
    return getattr(import_module(f"kernelpick.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
