"""class_weight="balanced", online: a row counts the less, the more often its class has come.

The weight is rows/(classes x rows of its class), as in scikit-learn, of the rows so far and as if each class had come
once more: 1/(classes x share of the class), with the shares that are said before there are kernels.
"""

import numpy as np

from kernelpick.core.loop import Rows


class Balance:
    """How often each class has come. Two classes share an output, and a single one is the first of two."""

    def __init__(self, n_outputs: int) -> None:
        self.counts = np.zeros(max(2, n_outputs))

    def weighed(self, rows: Rows) -> Rows:
        """The rows with the weights that they have now, each by those before it; they are counted."""
        which, count = np.arange(len(rows.Y)), len(self.counts)
        places = rows.Y.argmax(axis=1) if rows.Y.shape[1] > 1 else (rows.Y[:, 0] > 0).astype(np.intp)
        came = np.zeros((len(rows.Y), count))
        came[which, places] = 1.0
        after = self.counts + came.cumsum(axis=0)
        self.counts = after[-1].copy() if len(after) else self.counts
        weights = (after.sum(axis=1) - 1.0 + count) / (count * after[which, places])
        return rows._replace(weights=rows.weights * weights if len(rows.weights) else weights)

    def merged(self, others: "list[Balance]", rows: list[int]) -> "Balance":
        """All rows of several models count."""
        whole = Balance(1)
        whole.counts = np.sum([one.counts for one in (self, *others)], axis=0)
        return whole

    def remap(self, sources: list[int], signs: list[float]) -> None:
        """Outputs change their places; a new one has not come."""
        old = self.counts
        if len(sources) == 1:
            self.counts = old if signs[0] > 0 else old[::-1].copy()
        elif len(old) > 2:
            self.counts = np.array([old[source] if source >= 0 else 0.0 for source in sources])
        else:  # from the one output of two classes: -f is the first of them
            places = [-1 if source < 0 else int(sign > 0) for source, sign in zip(sources, signs, strict=True)]
            self.counts = np.array([old[place] if place >= 0 else 0.0 for place in places])


def restored(counts: np.ndarray, n_outputs: int) -> Balance:
    """From an array of a file, if it can be one."""
    balance = Balance(n_outputs)
    fits = counts.shape == balance.counts.shape and counts.dtype == balance.counts.dtype
    if not (fits and ((counts >= 0) & (counts < 2**53) & (counts == np.floor(counts))).all()):
        raise ValueError("the counts of classes are wrong")
    balance.counts = counts.copy()
    return balance
