"""The pages: their programs run, their links lead somewhere, and what they name is there."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import kernelpick

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "kernelpick"
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


PROGRAMS = {"README.md": 1, "docs/quickstart.md": 7, "docs/real-streams.md": 8, "docs/uncertainty.md": 5}


@pytest.mark.parametrize(("page", "count"), PROGRAMS.items())
def test_the_python_of_a_page_is_one_program_that_runs(page, count, tmp_path):
    """Imported, not run as a script: what is compiled for a part that it declares is then found in the cache again."""
    blocks = re.findall(r"^```python\n(.*?)^```$", text_of(page), re.DOTALL | re.MULTILINE)
    assert len(blocks) == count
    (tmp_path / "program_of_a_page.py").write_text("\n\n".join(blocks), encoding="utf-8")
    command = [sys.executable, "-W", "error::RuntimeWarning", "-c", "import program_of_a_page"]
    environment = os.environ | {"PYTHONPATH": str(Path(kernelpick.__file__).parents[1])}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr


def test_every_public_name_is_in_the_reference():
    named = set(re.findall(r"auto\w+:: kernelpick\.(\w+)$", text_of("docs/api.md"), re.MULTILINE))
    assert named >= set(kernelpick.__all__) - {"__version__"}


def test_every_example_is_on_the_page_of_examples():
    shown = re.findall(r"literalinclude\} \.\./(examples/.+)$", text_of("docs/examples.md"), re.MULTILINE)
    assert shown == [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "examples").glob("*.py"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_of_python_that_a_page_names_are_there(page):
    """By a path from wherever; mine.py is the reader's."""
    named = set(re.findall(r"`([\w/]+\.py)\b", page.read_text(encoding="utf-8"))) - {"mine.py"}
    there = [path.relative_to(ROOT).as_posix() for path in ROOT.glob("[!.]*/**/*.py")]
    assert {name for name in named if not any(f"/{path}".endswith(f"/{name}") for path in there)} == set()


def test_the_listing_of_the_architecture_has_every_module():
    listing = set(re.findall(r"\w+", text_of("docs/architecture.md").split("```")[1]))
    modules = [path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py") if path.stem != "__init__"]
    one_by_one = [path for path in modules if path.parent.name not in ("kernels", "losses")]  # "a file for each"
    assert {path.as_posix() for path in one_by_one if path.stem not in listing} == set()
