"""Estimators for River: a regressor and a classifier that learn from dicts and frames. Needs kernelpick[river].

Features may appear and disappear, and be numbers, texts, dates or missing. A new one is added as a new input; one that
is absent reads as missing where it is mostly there, and else as 0. In a prediction, what was never learned from is left
out. The frequencies of an input are a function of the seed and its name, so that the order of the keys does not matter.
Only orthogonal frequencies need a fixed set: that of the first row.

With "auto" the columns that are there decide: on the learner in every round, newton for up to 1,000 of them, and with
n_features=None on the number of frequencies at each fit, with 8, 64 and 512 rows.
"""

from kernelpick.river.classifier import KernelClassifier
from kernelpick.river.regressor import KernelRegressor

__all__ = ["KernelClassifier", "KernelRegressor"]
