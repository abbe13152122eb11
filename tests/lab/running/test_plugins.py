"""Files that register algorithms: imported once, told about when they fail, and a part of the stamps."""

import sys

import pytest

from kernelpick.core.algorithms import ALGORITHMS
from kernelpick.files.errors import DataError
from kernelpick.lab.running import plugins
from kernelpick.lab.running.plugins import absolute, fingerprint, load_plugins

MINE = "import kernelpick\nkernelpick.register('mine', kernelpick.Algorithm('features', 'ridge', 'hedge'))\n"


@pytest.fixture(autouse=True)
def clean(monkeypatch):
    """What a plugin leaves behind is gone after the test."""
    before, modules = dict(ALGORITHMS), set(sys.modules)
    monkeypatch.setattr(plugins, "_loaded", {})
    yield
    ALGORITHMS.clear()
    ALGORITHMS.update(before)
    for name in set(sys.modules) - modules:
        if name.startswith("kernelpick_plugin_"):
            del sys.modules[name]


def test_a_plugin_is_imported_once_under_a_name_that_stays(write):
    path = str(write("my-own.py", MINE + "import builtins\nbuiltins.count = getattr(builtins, 'count', 0) + 1\n"))
    (first,), (second,) = load_plugins([path, path]), load_plugins([path])
    assert first is second and first.algorithms == {"mine"} and "mine" in ALGORITHMS
    module = sys.modules["kernelpick_plugin_my_own"]
    assert module.__file__ == path and module.builtins.count == 1
    del module.builtins.count


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1\n\nraise RuntimeError('no\\nluck')\n", "line 3: the plugin fails with RuntimeError, no luck."),
        ("def f():\n    return 1 / 0\n\nf()\n", "line 2: the plugin fails with ZeroDivisionError, division by zero."),
        ("x = 1\nif x\n", "line 2: the plugin fails with SyntaxError, expected ':'."),
        ("import no_such_module\n", "line 1: the plugin fails with ModuleNotFoundError, No module named"),
        (MINE + "nowhere\n", "line 3: the plugin fails with NameError, name 'nowhere' is not defined."),
    ],
)
def test_one_that_fails_is_told_with_its_line_and_leaves_nothing(write, text, words):
    path = write("bad.py", text)
    with pytest.raises(DataError) as told:
        load_plugins([str(path)])
    assert str(told.value).startswith(f"{path}, {words}"[: len(str(told.value))]) and words in str(told.value)
    assert "kernelpick_plugin_bad" not in sys.modules and "mine" not in ALGORITHMS
    path.write_text(MINE)
    assert load_plugins([str(path)])[0].algorithms == {"mine"}


def test_what_is_no_plugin(tmp_path, write):
    with pytest.raises(DataError, match=r"The plugin .*absent\.py is not a file; correct --plugin"):
        load_plugins([str(tmp_path / "absent.py")])
    with pytest.raises(DataError, match=r"The plugin .*mine\.txt is no Python file"):
        load_plugins([str(write("mine.txt", MINE))])


def test_two_of_one_name_and_one_that_changed_are_refused(write, tmp_path):
    path = write("mine.py", MINE)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "mine.py").write_text(MINE)
    load_plugins([str(path)])
    with pytest.raises(DataError, match="have the same name; rename one of the files"):
        load_plugins([str(tmp_path / "other" / "mine.py")])
    path.write_text(MINE + "\n")
    with pytest.raises(DataError, match="has changed since this process imported it"):
        load_plugins([str(path)])


def test_the_contents_are_in_the_stamps_of_what_it_brought_and_of_no_others(write):
    path = str(write("mine.py", MINE))
    before = fingerprint("mine", [path])
    assert before and fingerprint("raker", [path]) == "" and fingerprint("mine", []) == ""
    write("mine.py", MINE + "# edited\n")
    plugins._loaded.clear()
    assert fingerprint("mine", [path]) not in ("", before)
    write("mine.py", MINE.replace("'mine'", "'oks'"))
    plugins._loaded.clear()
    with pytest.raises(DataError, match="There is an algorithm 'oks' in kernelpick: choose another name"):
        fingerprint("oks", [path])


def test_paths_hold_anywhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert absolute(["a.py", "./a.py", str(tmp_path / "a.py")]) == (str(tmp_path / "a.py"),) and absolute(None) == ()
