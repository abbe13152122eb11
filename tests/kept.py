"""What a model that was kept in a file is asked: data/write.py notes the answers, test_kept_models.py compares."""

from typing import Any

import numpy as np

Answers = dict[str, Any]


def answers(model: Any, about: dict[str, Any]) -> Answers:
    """What it says as it is, after the label of an open ticket has been told, and after some more rows.

    about: face ("sklearn" or "river"), rows to predict, the number of an open ticket and its label, more rows and their
    targets; columns, where rows of scikit-learn have names; declare, the classes that the first row of all needs.
    """
    found = {"at first": _state(model, about)}
    if about["ticket"] is not None:
        model.tell(*about["ticket"])
        found["told"] = _state(model, about)
    learn(model, about, about["more"], about["targets"])
    return found | {"taught": _state(model, about)}


def learn(model: Any, about: dict[str, Any], rows: Any, targets: Any) -> None:
    """Rows in a batch, or one by one where they are dicts."""
    if about["face"] == "river":
        for row, target in zip(rows, targets, strict=True):
            model.learn_one(dict(row), target)
    else:
        model.partial_fit(in_face(about, rows), np.array(targets), **about.get("declare", {}))


def in_face(about: dict[str, Any], rows: Any) -> Any:
    """Rows (JSON has lists) as the face takes them: a River row is a list of pairs, so that names may be numbers."""
    if about["face"] == "river":
        return [dict(row) for row in rows]
    if "columns" in about:
        import pandas

        return pandas.DataFrame(rows, columns=about["columns"])
    return np.array(rows, dtype=float)


def _state(model: Any, about: dict[str, Any]) -> Answers:
    if not hasattr(model, "n_rounds_"):  # it has not seen any row
        return {}
    rows = in_face(about, about["rows"])
    found: Answers = {"n_rounds": model.n_rounds_, "loss": model.loss_, "learner": model.learner_}
    found["probabilities"] = model.probabilities_.tolist()
    found["kernels"] = repr(model.kernels_)
    if about["face"] == "river":
        found["values"] = [model.predict_one(row) for row in rows]
        if getattr(model, "predict_proba_one", None) and model.loss == "logistic":
            found["values"] = [list(model.predict_proba_one(row).values()) for row in rows]
            found["labels"] = [model.predict_one(row) for row in rows]
        return found
    for selection in ("leader", "drawn"):
        say = getattr(model, "decision_function", model.predict)
        found[selection] = say(rows, selection=selection).tolist()
    if hasattr(model, "classes_"):
        found["labels"] = model.predict(rows).tolist()
    return found
