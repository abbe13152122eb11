"""Labels and the sorted classes that they belong to: which are known, which may join.

Classes are sorted, so all of them must be of kinds that can be: numbers, or strings, and not both.
"""

from typing import Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets

from kernelpick.targets import ONE_KIND, absent, check_one_kind, kind


def given(y: np.ndarray, missing_label: str) -> tuple[np.ndarray, np.ndarray]:
    """The labels that are there, all of one kind, and (T,) which rows have none."""
    missing = absent(y, missing_label)
    y = y[~missing] if missing.any() else y
    if y.dtype == object and len(y):
        check_one_kind(y)
        if kind(y[0]) == "number":
            y = np.array(y.tolist())
    return y, missing


def for_all(there: np.ndarray, missing: np.ndarray, instead: Any) -> np.ndarray:
    """(T,) one label a row from those that are there, and another instead of those that are missing."""
    if not missing.any():
        return there
    y = np.full(len(missing), instead, dtype=np.result_type(there, np.asarray(instead)))
    y[~missing] = there
    return y


def find(classes: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The place of each label in the sorted classes, and whether it is there at all."""
    try:
        places = np.minimum(np.searchsorted(classes, y), len(classes) - 1)
        return places, classes[places] == y
    except TypeError:  # labels that can't be compared with the classes are none of them
        return np.zeros(len(y), dtype=np.intp), np.zeros(len(y), dtype=bool)


def merged(classes: np.ndarray, more: np.ndarray) -> np.ndarray:
    """The classes with these labels among them; refused are those that can't be sorted together."""
    try:
        union = np.unique(np.concatenate([classes, more]))
        fits = bool(find(union, classes)[1].all() and find(union, more)[1].all())
    except TypeError:
        fits = False
    if not fits:
        raise ValueError(f"The labels {more[:3].tolist()} can't join the classes {classes[:3].tolist()}: {ONE_KIND}")
    return union


def declared(classes: Any) -> np.ndarray:
    """The classes of a list, sorted."""
    given = np.empty(len(classes), dtype=object)
    given[:] = list(classes)
    try:
        union = np.unique(classes)
        fits = bool(find(union, given)[1].all())  # NumPy makes strings of the numbers among strings
    except TypeError:
        fits = False
    if not fits:
        raise ValueError(f"classes={list(classes)} are not of one kind: {ONE_KIND}")
    return union


def known(before: np.ndarray | None, given: Any, y: np.ndarray, accepts: bool) -> np.ndarray:
    """The classes that labels y start with: those known before, or those given, if all is well.

    Where classes are accepted, others may join with y.
    """
    classes = before
    if given is not None:
        classes = declared(given)
        if before is not None and not find(classes, before)[1].all():
            raise ValueError(f"classes={list(classes)} leaves out some of those known before, {list(before)}.")
    if classes is None and accepts:
        classes = y[:1]
    if classes is None:
        raise ValueError(
            "classes must be passed on the first call to partial_fit: all labels that may come, "
            "or set new_classes='accept'."
        )
    there = find(classes, y)[1]
    if not there.all():
        if not accepts:
            raise undeclared(list(dict.fromkeys(y[~there].tolist())), classes)
        merged(classes, y[~there])
    if len(y) and (before is None or not there.all()):
        check_classification_targets(y)
    return classes


def check_weights(class_weight: Any, classes: np.ndarray) -> None:
    """Refuse a dict of weights for other labels than the classes."""
    known = classes.tolist()
    for label in class_weight if isinstance(class_weight, dict) else ():
        if label not in known:
            raise ValueError(f"class_weight has a weight for {label!r}, which is none of the classes {known}.")


def undeclared(labels: list[Any], classes: np.ndarray) -> ValueError:
    return ValueError(
        f"The labels {labels} were not declared; the classes are {classes.tolist()}. "
        "Declare them with classes= in partial_fit, or set new_classes='accept'."
    )
