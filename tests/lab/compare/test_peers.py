"""Which peers take part, and what is said of those that cannot."""

import subprocess
import sys

import pytest

from kernelpick.lab.compare import peers

USUAL = ["constant", "river-linear", "river-tree", "river-arf", "river-amf", "sklearn-rbf", "vw"]


@pytest.fixture
def installed(monkeypatch):
    """installed(modules) makes only these be found."""
    return lambda *names: monkeypatch.setattr(peers, "find_spec", lambda name: object() if name in names else None)


def test_all_none_or_names(installed):
    installed("river", "sklearn", "vowpalwabbit")
    assert peers.chosen("all") == (USUAL, [])
    assert peers.chosen("none") == ([], [])
    assert peers.chosen("all,sklearn-rbf-scale") == ([*USUAL, "sklearn-rbf-scale"], [])
    assert peers.chosen(" vw,river-tree,vw ") == (["vw", "river-tree"], [])


def test_what_is_not_installed_is_skipped_with_a_reason(installed):
    installed("sklearn")
    names, reasons = peers.chosen("all")
    assert names == ["constant", "sklearn-rbf"]
    assert reasons == [
        "Skipped: river-linear, river-tree, river-arf, river-amf, for want of river; pip install river brings it.",
        "Skipped: vw, for want of vowpalwabbit; pip install vowpalwabbit brings it.",
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("vw", "The peer 'vw' needs vowpalwabbit: install it with pip install vowpalwabbit."),
        ("river-trees", "did you mean 'river-tree'"),
        ("none,constant", "--peers takes 'none' alone"),
        (",", "--peers takes 'none' alone"),
    ],
)
def test_what_cannot_be_is_an_error(installed, text, words):
    installed("sklearn")
    with pytest.raises(ValueError, match=words):
        peers.chosen(text)


def test_the_table_imports_no_library():
    heavy = "{'river', 'vowpalwabbit', 'sklearn', 'rich', 'joblib'}"
    code = f"import sys, kernelpick.lab.compare.peers; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"
