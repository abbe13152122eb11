"""CapyMOA's ensembles, which run in a Java machine beside Python."""

from __future__ import annotations

import os
import shutil
from typing import Any

import numpy as np

from kernelpick.lab.compare.contestants import Answer, RowByRow, Setting, Sink

# One collector on one thread, as every contestant has one; and Ctrl-C is Python's.
MACHINE = "-Xmx8g -Xss10M -XX:+UseSerialGC -Xrs"
CLASSIFIERS = {
    "arf": "AdaptiveRandomForestClassifier",
    "srp": "StreamingRandomPatches",
    "lb": "LeveragingBagging",
    "sgbt": "StreamingGradientBoostedTrees",
}
REGRESSORS = {"arf": "AdaptiveRandomForestRegressor", "sgbt": "StreamingGradientBoostedRegression"}


def java() -> bool:
    """Whether there is a Java to run it with: where CapyMOA looks for one."""
    return "JAVA_HOME" in os.environ or shutil.which("java") is not None


class CapyMOA(RowByRow):
    """A learner of CapyMOA; what it is told of the stream are numeric columns and how many classes there are.

    The rows that it predicts carry no label, so that none can leak.
    """

    def __init__(self, setting: Setting, learner: str) -> None:
        os.environ.setdefault("CAPYMOA_JVM_ARGS", MACHINE)
        try:
            from capymoa import classifier, regressor
        except RuntimeError as problem:
            told = " ".join(str(problem).split()).rstrip(".")
            raise ValueError(f"CapyMOA does not start: {told}. Mend that, or leave it out with --peers.") from problem
        from capymoa.core import Instance, LabeledInstance, RegressionInstance
        from capymoa.stream import Schema

        names = [f"x{place}" for place in range(setting.inputs)]
        classes = {"y": [f"c{place}" for place in range(setting.classes)]} if setting.classes else None
        self._schema = Schema.from_custom([*names, "y"], "y", classes)
        room, table = (classifier, CLASSIFIERS) if setting.classes else (regressor, REGRESSORS)
        self.model = getattr(room, table[learner])(self._schema, random_seed=setting.seed)
        self._asked, self._told = Instance, LabeledInstance if setting.classes else RegressionInstance
        self._plain = int if setting.classes else float  # from numbers of Java

    def prepared(self, X: np.ndarray) -> Any:
        return [(row, self._asked.from_array(self._schema, row)) for row in np.array(X, dtype=np.float64)]

    def predict(self, row: Any) -> Answer:
        answer = self.model.predict(row[1])
        return None if answer is None else self._plain(answer)

    def learn(self, row: Any, label: Any) -> None:
        self.model.train(self._told.from_array(self._schema, row[0], label))

    def size(self) -> int:
        """Of the learner as Java stores it; 0 for random patches, which Java cannot store."""
        from jpype import JException
        from jpype.pickle import JPickler

        sink = Sink()
        try:
            JPickler(sink, protocol=4).dump(self.model.moa_learner)
        except JException:
            return 0
        return sink.size


def adaptive_forest(setting: Setting) -> CapyMOA:
    return CapyMOA(setting, "arf")


def random_patches(setting: Setting) -> CapyMOA:
    return CapyMOA(setting, "srp")


def leveraging_bagging(setting: Setting) -> CapyMOA:
    return CapyMOA(setting, "lb")


def boosted_trees(setting: Setting) -> CapyMOA:
    return CapyMOA(setting, "sgbt")
