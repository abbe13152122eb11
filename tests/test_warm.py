"""kernelpick.warm: what it has compiled is all that there is to compile."""

import subprocess
import sys

import numpy as np
import pytest

import kernelpick
from kernelpick import cli

PROGRAM = """
import sys, numpy as np, pandas, kernelpick, kernelpick.river
from kernelpick.core.numerics import compilation

def compiled():
    return {function.py_func.__name__: len(function.signatures) for function in compilation._called_by_python}

name = sys.argv[1]
kernelpick.warm(name, progress=None)
before = compiled()
X = np.random.default_rng(1).normal(size=(1500, 4))
y, labels = X[:, 0], np.where(X[:, 1] > 1, "a", np.where(X[:, 0] > 0, "b", "c"))
frame, weights = pandas.DataFrame(X, columns=list("abcd")), np.ones(1500)
for model, target in ((kernelpick.KernelRegressor(name), y), (kernelpick.KernelClassifier(name), labels)):
    model.progressive_fit(frame, target)
    model.partial_fit(frame[:3], target[:3], sample_weight=[1.0, 0.0, 2.0])
    model.tell(model.ask(frame[5:6]), target[5]).predict(frame)
    one = type(model)(name).fit(X, target)
    for t in range(5):
        one.partial_fit(X[t : t + 1], target[t : t + 1]).predict(X[t : t + 1])
    kernelpick.from_bytes(model.to_bytes()).fit(X[:40], target[:40]).predict(X[:1])
regressor = kernelpick.river.KernelRegressor(name, loss="huber")  # another loss is another number
for model, target in ((kernelpick.river.KernelClassifier(name), labels.tolist()), (regressor, y.tolist())):
    model.learn_many(frame, pandas.Series(target))
    for t in range(70):
        model.learn_one({"a": X[t, 0], t: 1.0}, target[t])
    model.tell(model.ask({"a": 1.0}), target[0]).predict_one({"a": 1.0})
print(before == compiled(), sum(before.values()) > 3)
"""


@pytest.mark.programs
@pytest.mark.parametrize("name", ["auto", "rf-oks"])
def test_after_it_nothing_is_compiled(name):
    command = [sys.executable, "-c", PROGRAM, name]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True True"


@pytest.mark.programs
def test_a_line_for_each_part(capsys):
    lines = []
    assert 0 < kernelpick.warm(["rf-oks", "rf-oks++"], progress=lines.append)
    parts = [line.split(":")[0] for line in lines]
    assert [part for part in parts if not part.endswith("River")] == [
        f"{name}, {what}" for name in ("rf-oks", "rf-oks++") for what in ("regression", "classification")
    ]
    assert capsys.readouterr().out == ""
    assert cli.main(["warm", "rf-oks"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("rf-oks, regression: ") and told[-1].startswith("All is compiled, in ")


def test_what_can_not_be_compiled_is_refused(capsys):
    with pytest.raises(ValueError, match="did you mean 'rf-oks'"):
        kernelpick.warm(["rf-oks", "rf-oke"], progress=np.testing.assert_equal)  # before anything is compiled
    assert cli.main(["warm", "auto", "--all"]) == 2
    assert capsys.readouterr().err == "kernelpick: --all takes no names of algorithms; leave one or the other out.\n"
