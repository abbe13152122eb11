"""River's learners, fed with dicts through predict_one and learn_one."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernelpick.lab.compare.contestants import Answer, RowByRow, Setting


class River(RowByRow):
    """A River model; its columns are called 0, 1, ..."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def predict(self, row: Any) -> Answer:
        return self.model.predict_one(row)

    def learn(self, row: Any, label: Any) -> None:
        self.model.learn_one(row, label)

    def prepared(self, X: np.ndarray) -> Any:
        return [dict(enumerate(row)) for row in X.tolist()]


def linear(setting: Setting) -> River:
    from river import linear_model, multiclass, preprocessing

    scaler = preprocessing.StandardScaler()
    if not setting.classes:
        return River(preprocessing.TargetStandardScaler(scaler | linear_model.LinearRegression()))  # type: ignore[arg-type]
    logistic = linear_model.LogisticRegression()
    return River(scaler | (logistic if setting.classes == 2 else multiclass.OneVsRestClassifier(logistic)))


def tree(setting: Setting) -> River:
    from river import preprocessing, tree

    if setting.classes:
        return River(tree.HoeffdingTreeClassifier())
    return River(preprocessing.StandardScaler() | tree.HoeffdingTreeRegressor())


def adaptive_forest(setting: Setting) -> River:
    from river import forest, preprocessing

    if setting.classes:
        return River(forest.ARFClassifier(seed=setting.seed))
    return River(preprocessing.StandardScaler() | forest.ARFRegressor(seed=setting.seed))


def mondrian_forest(setting: Setting) -> River:
    return River(_mondrian(setting))


def scaled_mondrian_forest(setting: Setting) -> River:
    from river import preprocessing

    return River(preprocessing.StandardScaler() | _mondrian(setting))


def _mondrian(setting: Setting) -> Any:
    from river import forest

    return (forest.AMFClassifier if setting.classes else forest.AMFRegressor)(seed=setting.seed)
