"""The command line: what it refuses, and how it says so."""

import subprocess
import sys

import pytest

from kernelpick import cli


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "The following arguments are required: COMMAND"),
        (["reprodcue"], "reprodcue"),
        (["reproduce", "--tables", "1"], "Unknown table '1'"),
        (["reproduce", "--tables", "two"], "Unknown table 'two'"),
        (["reproduce", "--datasets", "iris"], "Unknown dataset 'iris'"),
        (["reproduce", "--algorithms", "rf-oks+"], "did you mean 'rf-oks++'"),
        (["reproduce", "--settings", "publshed"], "did you mean 'published'"),
        (["reproduce", "--tables", "2", "--datasets", "bank"], "No cell"),
        (["reproduce", "--repeats", "0"], "--repeats must be a whole number from 1 up, not 0."),
        (["reproduce", "--repeats", "ten"], "Argument --repeats: invalid int value: 'ten'"),
        (["reproduce", "--jobs", "-1"], "--jobs must be a whole number from 1 up, not -1."),
        (["reproduce", "--nothing"], "Unrecognized arguments: --nothing"),
        (["reproduce", "--table", "2"], "Unrecognized arguments: --table"),
        (["data", "--data", "no/such/folder"], "--data names no/such/folder, which is not a folder"),
        (["reproduce", "--data", "no/such/folder", "--out", "no/such/out"], "--data names no/such/folder"),
    ],
)
def test_errors_are_one_sentence(arguments, words, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert cli.main(arguments) == 2
    told = capsys.readouterr()
    assert told.out == "" and told.err.startswith("kernelpick: ") and told.err.count("\n") == 1 and words in told.err
    assert list(tmp_path.iterdir()) == []


def test_an_interruption_is_one_line(capsys, monkeypatch):
    monkeypatch.setattr(cli, "_data", lambda options: (_ for _ in ()).throw(KeyboardInterrupt))
    assert cli.main(["data"]) == 130
    assert capsys.readouterr().err == "kernelpick: Interrupted.\n"


def test_help_and_version(capsys):
    for arguments, words in {"--version": "kernelpick ", "--help": "reproduce", "reproduce --help": "--jobs"}.items():
        with pytest.raises(SystemExit) as end:
            cli.main(arguments.split())
        assert end.value.code == 0 and words in capsys.readouterr().out


def test_the_datasets_are_listed(capsys):
    assert cli.main(["data"]) == 0
    assert "Hardware" in capsys.readouterr().out


def test_importing_the_command_is_light():
    heavy = "{'numba', 'numpy', 'sklearn', 'scipy', 'joblib', 'rich', 'distributed', 'pooch'}"
    code = f"import sys, kernelpick.cli; kernelpick.cli.parser(); print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"


def test_what_the_system_refuses_is_one_sentence(capsys, tmp_path, monkeypatch):
    def refuse(options):
        (tmp_path / "file").write_text("")
        (tmp_path / "file" / "folder").mkdir()

    monkeypatch.setattr(cli, "_data", refuse)
    assert cli.main(["data"]) == 2
    assert capsys.readouterr().err == f"kernelpick: {tmp_path / 'file' / 'folder'}: Not a directory.\n"
