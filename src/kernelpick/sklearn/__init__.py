"""Estimators for scikit-learn: a regressor and a classifier, thin faces on kernelpick.online.

Inside this package, as everywhere, ``sklearn`` is scikit-learn: imports are absolute.
"""

from kernelpick.sklearn.classifier import KernelClassifier
from kernelpick.sklearn.regressor import KernelRegressor

__all__ = ["KernelClassifier", "KernelRegressor"]
