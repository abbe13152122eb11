"""Which peers take part, and what is said of those that cannot."""

import os
import subprocess
import sys

import pytest

from kernelpick.lab.compare import peers

RIVER = ["river-linear", "river-tree", "river-arf", "river-amf"]
CAPYMOA = ["capymoa-arf", "capymoa-srp", "capymoa-lb", "capymoa-sgbt"]
USUAL = ["constant", "no-change", *RIVER, "sklearn-rbf", "vw", *CAPYMOA, "offline-boosting"]


@pytest.fixture
def installed(monkeypatch):
    """installed(modules) makes only these be found, and "java" Java."""

    def installed(*names):
        monkeypatch.setattr(peers, "find_spec", lambda name: object() if name in names else None)
        monkeypatch.setattr(peers.capymoa_peers, "java", lambda: "java" in names)

    return installed


def test_all_none_or_names(installed):
    installed("river", "sklearn", "vowpalwabbit", "capymoa", "java")
    assert peers.chosen("all") == (USUAL, [])
    assert peers.chosen("none") == ([], [])
    assert peers.chosen("all,sklearn-rbf-scale") == ([*USUAL, "sklearn-rbf-scale"], [])
    assert peers.chosen(" vw,river-tree,vw ") == (["vw", "river-tree"], [])


def test_what_is_not_installed_is_skipped_with_a_reason(installed):
    installed("sklearn")
    names, reasons = peers.chosen("all")
    assert names == ["constant", "no-change", "sklearn-rbf", "offline-boosting"]
    assert reasons == [
        "Skipped: river-linear, river-tree, river-arf, river-amf, for want of river; pip install river brings it.",
        "Skipped: vw, for want of vowpalwabbit; pip install vowpalwabbit brings it.",
        f"Skipped: {', '.join(CAPYMOA)}, for want of capymoa; pip install capymoa brings it.",
    ]


def test_without_java(installed):
    installed("river", "sklearn", "vowpalwabbit", "capymoa")
    told = f"Skipped: {', '.join(CAPYMOA)}, for want of Java; install a Java runtime of version 17 or later."
    assert peers.chosen("all") == ([name for name in USUAL if name not in CAPYMOA], [told])
    with pytest.raises(ValueError, match="The peer 'capymoa-lb' needs Java; install a Java runtime"):
        peers.chosen("capymoa-lb")


def test_where_java_is_looked_for(monkeypatch, tmp_path):
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not peers.capymoa_peers.java()
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert peers.capymoa_peers.java()


def test_who_learns_numbers():
    assert peers.fitting(CAPYMOA, classifies=True) == CAPYMOA
    assert peers.fitting(CAPYMOA, classifies=False) == ["capymoa-arf", "capymoa-sgbt"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("vw", "The peer 'vw' needs vowpalwabbit; pip install vowpalwabbit brings it."),
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
    heavy = "{'river', 'vowpalwabbit', 'capymoa', 'jpype', 'sklearn', 'rich', 'joblib'}"
    code = f"import sys, kernelpick.lab.compare.peers; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.java
def test_a_java_that_does_not_start_is_one_sentence(tmp_path):
    if peers.PEERS["capymoa-lb"].lacks:
        pytest.skip(f"for want of {peers.PEERS['capymoa-lb'].lacks}")
    arguments = ["compare", "river:Bananas", "--rows", "50", "--algorithms", "raker", "--peers", "capymoa-lb"]
    environment = os.environ | {"JAVA_HOME": str(tmp_path / "no" / "java")}
    command = [sys.executable, "-m", "kernelpick.cli", *arguments, "--out", str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert done.stderr.splitlines()[-1].startswith("kernelpick: CapyMOA does not start: The JAVA_HOME")
