"""Estimators for River: a regressor and a classifier that learn from dicts and frames. Needs kernelpick[river].

Features may appear and disappear. A new one is added as a new input column, a missing one reads as 0, and so does, in
a prediction, one that was never learned from. The frequencies of a column are a function of the seed and its name, so
that the order of the keys does not matter. Only orthogonal frequencies need a fixed set: that of the first row.

With "auto" the columns that are there decide: on the learner in every round, newton for up to 1,000 of them, and with
n_features=None on the number of frequencies at each fit, with 8, 64 and 512 rows.
"""

from kernelpick.river.classifier import KernelClassifier
from kernelpick.river.regressor import KernelRegressor

__all__ = ["KernelClassifier", "KernelRegressor"]
