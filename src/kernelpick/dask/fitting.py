"""kernelpick.dask.fit: every partition is learned by itself, and the models are merged in a tree."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from zlib import compress, decompress

import numpy as np
from threadpoolctl import threadpool_limits

from kernelpick.dask.partitions import Partition, partitions
from kernelpick.estimator import Estimator
from kernelpick.files.container import from_bytes
from kernelpick.merging import merge

SAMPLE = 1024  # rows of the first partition that scales and kernels are found with
EACH = 8  # models that are merged at a time


def fit(
    model: Any, data: Any, y: Any = None, *, target: Any = None, classes: Any = None, split_every: int = EACH
) -> Any:
    """Learn from a Dask collection in one pass, on whatever cluster Dask uses; the merged model.

    Its ``loss_`` and ``coverage_`` are progressive: of what the model of each partition said before it used a target.

    Scales and kernels are found with rows of the first partition, evenly spaced. Every partition is then a pure task, a
    blank of that start which learns its rows in their order; a task that is run again, since a worker was lost, gives
    the same bytes. The tree in which the models are merged follows from the numbers of the partitions alone, so the
    result is the same to the bit wherever the tasks have run. What moves between workers are models, whatever the rows.

    Parameters
    ----------
    model : an estimator for scikit-learn, which is left as it is. What it has learned counts for scales and kernels
        alone; one that has seen nothing is shown the sample.
    data : a Dask array (T, d) with y beside it; or a data frame, or a bag of dicts, of which ``target`` is a column
    y : a Dask array of targets, in chunks as the rows are
    target : the name of the column that is learned
    classes : of a classifier, all classes; None looks for them in all partitions first, which reads these twice
    split_every : how many models are merged at a time; fewer take less memory and more time

    Examples
    --------
    >>> import dask.array, kernelpick.dask, numpy as np  # doctest: +SKIP
    >>> X = dask.array.random.normal(size=(100_000, 5), chunks=(10_000, 5))  # doctest: +SKIP
    >>> model = kernelpick.dask.fit(kernelpick.KernelRegressor(), X, X[:, 0])  # doctest: +SKIP
    """
    try:
        from dask.base import compute
        from dask.delayed import delayed
    except ImportError as error:
        raise ImportError("kernelpick.dask needs Dask: pip install 'kernelpick[cluster]'.") from error
    if not isinstance(model, Estimator) or not hasattr(model, "partial_fit"):
        raise TypeError(f"kernelpick.dask.fit takes KernelRegressor or KernelClassifier, not {type(model).__name__}.")
    parts = partitions(data, y, target)
    if model._classifies and classes is None and not hasattr(model, "classes_"):  # type: ignore[attr-defined]
        found = compute(*(delayed(_labels, pure=True)(*part) for part in parts))
        classes = np.unique(np.concatenate(found))
    if model._model is not None:
        start = delayed(packed(model.blank()))
    else:
        start = delayed(_started, pure=True)(packed(model), *parts[0], classes)
    learned = [delayed(_learned, pure=True)(start, *part) for part in parts]
    return from_bytes(in_a_tree(learned, _merged, split_every))


def in_a_tree(learned: list[Any], merged: Callable[..., Any], split_every: int = EACH) -> Any:
    """What becomes of tasks that give lists of one, merged with their neighbours, so many at a time, up to the top."""
    from dask.bag import from_delayed

    return from_delayed(learned).reduction(merged, merged, split_every=split_every).compute()


def packed(model: Any) -> bytes:
    """A blank is mostly zeros, and goes to every worker: a hundredth of its bytes is enough."""
    return compress(model.to_bytes(), 1)


def unpacked(content: bytes) -> Any:
    return from_bytes(decompress(content))


def alone(task: Callable[..., Any]) -> Callable[..., Any]:
    """With one BLAS thread: workers have a core each, and how many threads take part may change the bits of a sum."""

    @wraps(task)
    def done(*arguments: Any) -> Any:
        with threadpool_limits(1):
            return task(*arguments)

    return done


def _labels(*part: Any) -> np.ndarray:
    return np.unique(np.asarray(Partition(*part).y))


@alone
def _started(content: bytes, *rest: Any) -> bytes:
    """The blank that all partitions begin as."""
    *part, classes = rest
    model = unpacked(content)
    Partition(*part).sample(SAMPLE).taught(model, classes)
    return packed(model.blank())


@alone
def _learned(start: bytes, *part: Any) -> list[bytes]:
    model, own = unpacked(start), Partition(*part)
    if len(own):
        own.taught(model)
    return [model.to_bytes()]


@alone
def _merged(models: Any) -> bytes:
    """Of some partitions, in their order."""
    contents = list(models)
    return contents[0] if len(contents) == 1 else merge(from_bytes(one) for one in contents).to_bytes()  # type: ignore[no-any-return]
