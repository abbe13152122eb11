"""The programs in examples/: each runs by itself, agrees with its plain version, and is one file."""

import ast
import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

import kernelpick

pytestmark = pytest.mark.programs

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))
SOURCES = Path(kernelpick.__file__).parent


def run(program: Path) -> subprocess.CompletedProcess:
    """As a user would, in a folder where there is nothing but the program; that it compiles is left out of stderr."""
    environment = os.environ | {"PYTHONPATH": str(SOURCES.parent)}
    ended = subprocess.run(
        [sys.executable, program.name], cwd=program.parent, env=environment, capture_output=True, text=True
    )
    lines = ended.stderr.splitlines(keepends=True)
    ended.stderr = "".join(line for line in lines if not line.startswith("kernelpick compiles its loops"))
    return ended


def contents() -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in SOURCES.rglob("*.py")}


def test_there_are_five():
    names = ["epsilon_insensitive", "exp3_ix", "passive_aggressive", "rational_quadratic", "two_arms"]
    assert [path.stem for path in EXAMPLES] == names


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs_alone_and_touches_one_file(example, tmp_path):
    before = contents()
    alone = tmp_path / example.name
    alone.write_bytes(example.read_bytes())
    ended = run(alone)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert len(ended.stdout.splitlines()) >= 2
    assert contents() == before
    assert [path for path in tmp_path.rglob("*") if "__pycache__" not in path.parts] == [alone]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_uses_public_names_only(example):
    allowed = {"kernelpick", "kernelpick.extend", "numpy", "scipy.special", *sys.stdlib_module_names}
    extend = importlib.import_module("kernelpick.extend")
    for node in ast.walk(ast.parse(example.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            assert {alias.name for alias in node.names} <= allowed
        elif isinstance(node, ast.ImportFrom):
            assert node.module in allowed
            assert node.module != "kernelpick.extend" or {alias.name for alias in node.names} <= set(extend.__all__)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "kernelpick":
            assert node.attr in kernelpick.__all__


def test_an_example_that_differs_from_its_plain_version_ends_with_a_sentence(tmp_path):
    text = (EXAMPLES[0].parent / "epsilon_insensitive.py").read_text(encoding="utf-8")
    assert text.count("L[arm] += (f - target - epsilon) / p[arm]") == 1
    altered = tmp_path / "altered.py"
    altered.write_text(text.replace("L[arm] += (f - target - epsilon) / p[arm]", "L[arm] += (f - target) / p[arm]"))
    ended = run(altered)
    assert ended.returncode == 1
    assert ended.stderr.startswith("The two part in round ")


def test_the_first_program_of_the_page_runs(tmp_path):
    page = (EXAMPLES[0].parents[1] / "docs" / "extend.md").read_text(encoding="utf-8")
    program = tmp_path / "first.py"
    program.write_text(page.split("```python\n")[1].split("```")[0])
    ended = run(program)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("Trace(500 rounds, ")


def test_the_page_links_all_examples():
    page = (EXAMPLES[0].parents[1] / "docs" / "extend.md").read_text(encoding="utf-8")
    assert all(f"(../examples/{example.name})" in page for example in EXAMPLES)
