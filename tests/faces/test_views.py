"""What a notebook shows, and plot()."""

import sys
from itertools import pairwise

import numpy as np
import pytest
from problems import drifting
from sklearn import config_context
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import estimator_html_repr

from kernelpick import KernelClassifier, KernelRegressor
from kernelpick.online.history import CHALLENGE

X, Y, _ = drifting("abrupt", False, 0)
RIVER = ("regressor", "classifier")


def learned(kind, rows=700):
    if kind == "classifier":
        return KernelClassifier(n_features=16, random_state=0).partial_fit(
            X[:rows], Y[:rows] > 0, classes=[False, True]
        )
    return KernelRegressor(n_features=16, random_state=0).partial_fit(X[:rows], Y[:rows])


def learned_by_river(kind, rows=600):
    river = pytest.importorskip("kernelpick.river")
    classifies = kind == "classifier"
    model = (river.KernelClassifier if classifies else river.KernelRegressor)(n_features=16, seed=0)
    for x, y in zip(X[:rows].tolist(), Y[:rows].tolist(), strict=True):
        model.learn_one({"left": x[0], "<b>": x[1]}, y > 0 if classifies else y)
    return model


def cells(html):
    """The panel as a dict, read by a parser that accepts nothing but sound markup."""
    from xml.etree import ElementTree

    return {row[0].text: row[1].text for row in ElementTree.fromstring(html).iter("tr")}


def test_a_panel_tells_what_the_attributes_do():
    model = learned("regressor", 5000)
    told = cells(model._repr_html_())
    now, history = model._model.now(), model.history_
    challenges = [one.round for one in history if one.why == CHALLENGE]
    assert told["rows"] == "5,000" and told["error so far"].startswith(f"{model.loss_:.4g} (mean square loss")
    assert told["in the lead"].startswith(f"{type(now.kernel).__name__}(width={now.kernel.width:.3g}): its loss is ")
    assert f"{min(np.delete(now.losses, now.leader)):.4g} that of " in told["in the lead"]
    times = "once" if len(challenges) == 1 else f"{len(challenges)} times"
    assert f"challenged {times}, last after row {challenges[-1]:,}" in told["drift"]
    assert (
        told["coverage"]
        == f"0.9 intervals held {model.coverage_:.1%} of the targets; mean width {model.interval_width_:.4g}"
    )
    first, second = sorted(range(2), key=lambda column: -model.importances_[column])
    shares = model.importances_
    assert told["moved most by"] == f"{first} ({shares[first]:.0%}), {second} ({shares[second]:.0%})"
    assert now.losses[now.leader] > 0 and now.lead > 0


def test_panels_of_classifiers_of_river_and_of_models_without_features():
    assert cells(learned("classifier")._repr_html_())["coverage"].startswith("0.9 sets held ")
    for kind in RIVER:
        told = cells(learned_by_river(kind)._repr_html_())
        assert told["rows"] == "600" and "<b> (" in told["moved most by"]  # a name is no markup
    told = cells(KernelRegressor("oks++", random_state=0).partial_fit(X[:3], Y[:3])._repr_html_())
    assert told["rows"] == "3" and told["in the lead"].startswith("nobody yet") and "moved most by" not in told
    told = cells(KernelRegressor("oks++", random_state=0).partial_fit(X[:60], Y[:60])._repr_html_())
    assert "Gaussian" in told["in the lead"] and told["drift"] == "none noticed" and "moved most by" not in told


def test_before_anything_is_learned_they_show_what_their_libraries_show():
    assert "sk-" in KernelRegressor()._repr_html_() and "sk-" in KernelRegressor()._repr_mimebundle_()["text/html"]
    river = pytest.importorskip("kernelpick.river")
    assert "river-component" in river.KernelRegressor()._repr_html_()


def test_what_scikit_learn_asks_for():
    model = learned("regressor")
    assert {"history_", "importances_"} <= set(dir(model))
    assert model._repr_mimebundle_() == {"text/plain": repr(model), "text/html": model._repr_html_()}
    assert "KernelRegressor" in estimator_html_repr(make_pipeline(StandardScaler(), model))
    with config_context(display="text"):
        assert list(model._repr_mimebundle_()) == ["text/plain"] and not hasattr(model, "_repr_html_")


def test_a_plot_needs_matplotlib_and_something_to_plot(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r'pip install "kernelpick\[plot\]"'):
        learned("regressor").plot()
    with pytest.raises(AttributeError, match="has not seen any row"):
        KernelRegressor().plot()
    with pytest.raises(ValueError, match="nothing to plot yet"):
        learned("regressor", 3).plot()


@pytest.fixture
def pyplot(monkeypatch):
    pytest.importorskip("matplotlib").use("agg")
    from matplotlib import pyplot

    yield pyplot
    pyplot.close("all")


def test_a_plot_shows_the_history(pyplot):
    model = learned("regressor", 5000)
    figure = model.plot()
    entries = [*model.history_, model._model.now()]
    error, lead, coverage = figure.axes
    assert error.lines[0].get_xydata().tolist() == [[one.round, one.error] for one in entries]
    assert coverage.lines[0].get_xydata().tolist() == [[one.round, one.coverage] for one in entries]
    names = [label.get_text() for label in lead.get_yticklabels()]
    bars = [line for line in lead.lines if line.get_linestyle() == "-"]
    assert [names[int(bar.get_ydata()[0])] for bar in bars] == [
        f"{type(one.kernel).__name__}(width={one.kernel.width:.3g})" for one in entries
    ]
    assert [tuple(bar.get_xdata()) for bar in bars[:-1]] == [
        (one.round, after.round) for one, after in pairwise(entries)
    ]
    assert len([line for line in lead.lines if line.get_linestyle() == ":"]) == sum(
        one.why == CHALLENGE for one in entries
    )


def test_plots_of_all_faces_can_be_drawn(pyplot, tmp_path):
    raker = KernelClassifier("raker", loss="hinge", n_features=8, random_state=0)
    raker.partial_fit(X[:100], Y[:100] > 0, classes=[False, True])
    assert len(raker.plot().axes) == 2  # there is no coverage
    for model in (learned("classifier"), *map(learned_by_river, RIVER)):
        model.plot().savefig(tmp_path / "figure.png")
