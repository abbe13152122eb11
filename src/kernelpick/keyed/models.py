"""KeyedModels: a model for every key, the most recently used ones in memory and the others in a file."""

import copy
import tempfile
from collections import OrderedDict
from collections.abc import Hashable, Iterator
from pathlib import Path
from threading import RLock
from typing import Any, Self

import numpy as np

from kernelpick.core.messages import positive, whole
from kernelpick.files.container import from_bytes
from kernelpick.keyed.rows import groups, part_of
from kernelpick.keyed.store import Store, name_of

SPILLED = 16  # models leave the memory so many at a time, or a part of the capacity


class KeyedModels:
    """One model per key: sensors, shops, users, each with a stream of its own.

    The models that were used last are in memory, ``capacity`` of them at most; the others lie in a SQLite file as what
    ``to_bytes`` gives, and go on from there to the bit. What a key learns depends neither on other keys nor on the
    capacity.

    Parameters
    ----------
    model : an estimator of kernelpick that has seen nothing: every key begins with a copy of it. size="small" or "tiny"
        keeps many of them small. None: what the keys of the file at ``path`` began with, the prior included.
    capacity : how many models are in memory at most.
    path : the file. What an earlier process has flushed there is found again. None: a temporary one.
    prior : a model that new keys begin with, such as one merged from other keys: same columns, scales and kernels, and
        what it knows, which counts as ``prior_weight`` rows, so that its weight fades as their own rows come.
    prior_weight : how many rows that are.
    classes : all classes, for a classifier that does not accept new ones.
    reads_only : the file at ``path`` stays as it is, and may be written by another process meanwhile.

    Examples
    --------
    >>> import numpy as np
    >>> from kernelpick import KernelRegressor, KeyedModels
    >>> keys = np.arange(600) % 3
    >>> X = np.random.default_rng(0).normal(size=(600, 2))
    >>> y = keys * X[:, 0]
    >>> models = KeyedModels(KernelRegressor(size="tiny", random_state=0), capacity=2)
    >>> models.learn(keys, X, y).keys()
    [0, 1, 2]
    >>> bool(abs(models.predict([2], [[1.0, 0.0]])[0] - 2.0) < 0.5)
    True
    """

    def __init__(
        self,
        model: Any = None,
        capacity: int = 1000,
        path: Any = None,
        prior: Any = None,
        prior_weight: float = 32.0,
        classes: Any = None,
        reads_only: bool = False,
    ) -> None:
        whole("capacity", capacity, 1)
        positive("prior_weight", prior_weight)
        _check(model, prior, path)
        self._capacity, self._classes, self._reads_only = int(capacity), classes, reads_only
        self._folder = tempfile.TemporaryDirectory() if path is None else None
        place = Path(self._folder.name if self._folder else "", "models.sqlite" if path is None else path)
        self._store = Store(place, reads_only)
        self._begin = self._begun(model if prior is None else prior.blank(prior_weight))
        self._held: OrderedDict[Hashable, Any] = OrderedDict()
        self._changed: set[Hashable] = set()
        self._lock = RLock()

    def _begun(self, model: Any) -> Any:
        """What keys begin with: this, or what the file says."""
        there = self._store.begin
        if model is None:
            if there is None:
                self._store.close()
                raise ValueError(f"{self._store.path} does not say what keys begin with: give a model.")
            return from_bytes(there)
        if (content := model.to_bytes()) != there:
            self._store.begin = content
        return model

    # rows

    def learn(self, keys: Any, X: Any, y: Any) -> Self:
        """Learn from rows, those of a key in their order.

        Parameters
        ----------
        keys : (T,) a key for each row; or the name of a column of the frame X, which is then no input
        X : (T, d) array or frame; or for River a list of dicts
        y : (T,) targets or labels
        """
        for key, rows in groups(keys, X):
            self._taught(key, rows, part_of(y, rows.places), progressive=False)
        return self

    def predict_and_learn(self, keys: Any, X: Any, y: Any) -> np.ndarray:
        """The same, and the predictions (T,) made before each target was used."""
        found: list[tuple[Any, Any]] = []
        for key, rows in groups(keys, X):
            found.append((rows.places, self._taught(key, rows, part_of(y, rows.places), progressive=True)))
        return _together(found)

    def predict(self, keys: Any, X: Any) -> np.ndarray:
        """Predictions (T,). A key that has not learned yet says what the prior does; without one it is refused."""
        found: list[tuple[Any, Any]] = []
        for key, rows in groups(keys, X):
            with self._lock:
                model = self._find(key)
                if model is None and self._begin._model is None:
                    raise KeyError(f"There is no model of the key {key!r} yet: let it learn first, or give a prior.")
                found.append((rows.places, rows.predicted(self._begin if model is None else model)))
        return _together(found)

    def _taught(self, key: Hashable, rows: Any, y: Any, progressive: bool) -> Any:
        with self._lock:
            model = self[key]
            return rows.learned(model, y, self._classes, progressive)

    # models

    def __getitem__(self, key: Hashable) -> Any:
        """The model of a key, a new one if there is none; it may be looked at and taught until another key is used."""
        if self._reads_only:
            raise ValueError(f"{self._store.path} was opened with reads_only=True: get(key) looks at a model.")
        with self._lock:
            model = self._find(key)
            if model is None:
                name_of(key)  # refused if it can't be a key
                model = self._held[key] = copy.deepcopy(self._begin)
                self._make_room()
            self._changed.add(key)
            return model

    def get(self, key: Hashable) -> Any:
        """The model of a key, to be looked at; None if there is none."""
        with self._lock:
            return self._find(key)

    @property
    def begin(self) -> Any:
        """What every key begins with a copy of."""
        return self._begin

    def __contains__(self, key: Hashable) -> bool:
        with self._lock:
            return key in self._held or self._store.get(key) is not None

    def __len__(self) -> int:
        return len(self.keys())

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.keys())

    def keys(self) -> list[Hashable]:
        """All keys, in the order of their names."""
        with self._lock:
            return sorted({*self._store.keys(), *self._held}, key=name_of)

    def _find(self, key: Hashable) -> Any:
        """The model of a key, which is the most recently used one from now on; None if there is none."""
        model = self._held.get(key)
        if model is not None:
            self._held.move_to_end(key)
            return model
        content = self._store.get(key)
        if content is None:
            return None
        model = self._held[key] = from_bytes(content)
        self._make_room()
        return model

    def _make_room(self) -> None:
        """Spill those that have not been used for longest, some at a time: a transaction costs more than a model."""
        if len(self._held) <= self._capacity:
            return
        count = len(self._held) - self._capacity + min(SPILLED, self._capacity // 8)
        leaving = [(key, self._held[key]) for key in list(self._held)[:count]]
        self._store.spill((key, model.to_bytes()) for key, model in leaving if key in self._changed)
        for key, _ in leaving:
            del self._held[key]
            self._changed.discard(key)

    # the file

    def flush(self, mark: Any = None) -> None:
        """Write all that was learned, in one transaction, with a mark of your own (JSON): where the stream stands, say.

        A process that opens the file later, whatever became of this one, finds the models and the mark of the last
        flush.
        """
        with self._lock:
            self._store.flush(((key, self._held[key].to_bytes()) for key in self._changed), mark)
            self._changed.clear()

    @property
    def mark(self) -> Any:
        """That of the last flush."""
        return self._store.mark

    def close(self, flush: bool = True) -> None:
        """Flush, with the mark that there is, and close the file; without it, all since the last flush did not
        happen."""
        with self._lock:
            if flush and self._changed:
                self.flush(self.mark)
            self._store.close()
            if self._folder is not None:
                self._folder.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: Any, *error: Any) -> None:
        """Where an error has come between two flushes, the mark would be behind the models; so they stay with it."""
        self.close(flush=kind is None)


def _check(model: Any, prior: Any, path: Any) -> None:
    if model is None and (prior is not None or path is None):
        raise ValueError("Give a model, which every key begins with a copy of; a file may have one, and then no prior.")
    if getattr(model, "_model", None) is not None:
        raise ValueError("Every key begins with a copy of the model, which has seen rows: give one that has not.")
    if prior is not None and (type(prior) is not type(model) or prior._model is None):
        raise ValueError(f"The prior must be a {type(model).__name__} of the same library that has learned something.")


def _together(found: list[tuple[Any, Any]]) -> np.ndarray:
    """Answers in the order of the rows."""
    if not found:
        return np.zeros(0)
    answers = np.concatenate([np.asarray(said) for _, said in found])
    out = np.empty_like(answers)
    out[np.concatenate([places for places, _ in found])] = answers
    return out
