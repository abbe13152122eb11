"""What is said twice in the files around the sources says the same."""

import re
from pathlib import Path

import kernelpick

ROOT = Path(__file__).parents[1]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def test_hooks_before_a_commit_are_the_checks_of_make_style():
    recipe = MAKEFILE.split("\nstyle:")[1].split("\n\n")[0]
    checks = [line.strip().replace("$(BIN)", ".venv/bin") for line in recipe.splitlines()[1:]]
    hooks = re.findall(r"entry: (.+)", (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    assert len(checks) >= 4
    assert hooks == checks


def test_every_target_has_a_line_in_make_help():
    targets = set(re.findall(r"^\.PHONY: (.+)$", MAKEFILE, re.MULTILINE)[0].split())
    assert targets == set(re.findall(r"^([a-z-]+):.*## .+$", MAKEFILE, re.MULTILINE))


def test_the_citation_is_of_this_version():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall("^version: (.+)$", citation, re.MULTILINE) == [kernelpick.__version__]
