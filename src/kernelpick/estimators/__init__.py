"""Estimators for scikit-learn: a regressor and a classifier, thin faces on kernelpick.model."""

from .classifier import KernelClassifier
from .regressor import KernelRegressor

__all__ = ["KernelClassifier", "KernelRegressor"]
