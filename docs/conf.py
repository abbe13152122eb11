"""How the site is built: Sphinx, pages in Markdown (MyST), the reference from the docstrings."""

import re
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

project = "kernelpick"
author = copyright = "the authors of kernelpick"
release = version = version_of("kernelpick")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
myst_heading_anchors = 4  # links to headings are those that GitHub makes
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # what a parameter may be is in its description
napoleon_google_docstring = False
napoleon_use_ivar = True
html_theme = "furo"
html_title = f"kernelpick {version}"
html_copy_source = False

ROOT = Path(__file__).parents[1]
# Pages whose text lies beside the folder of the docs, where people look for it first.
OUTSIDE = {"index": "README.md", "contributing": "CONTRIBUTING.md", "changelog": "CHANGELOG.md"}
MOVED = {path: f"{page}.md" for page, path in OUTSIDE.items()} | {"examples": "examples.md"}


def bring(app: Any, page: str, source: list[str]) -> None:
    """The text from outside, with its links as they are from here; below it what the page itself has."""
    if page in OUTSIDE:
        text = (ROOT / OUTSIDE[page]).read_text(encoding="utf-8")
        source[0] = re.sub(r"\]\((?!\w+:|#)([^)]+)\)", lambda link: f"]({moved(link[1])})", text) + "\n" + source[0]


def moved(link: str) -> str:
    """A link from the root of the repository, as it is from the docs."""
    return MOVED.get(link) or (link.removeprefix("docs/") if link.startswith("docs/") else f"../{link}")


def inherited_from_others(app: Any, what: str, name: str, member: Any, skip: bool, options: Any) -> bool | None:
    """Whether a method is scikit-learn's or River's own, which their documentation tells of."""
    home = getattr(member, "__module__", None) or getattr(getattr(member, "fget", None), "__module__", "kernelpick")
    return True if not home.startswith("kernelpick") or name.endswith("_request") else None


def plain_text(app: Any, what: str, name: str, member: Any, options: Any, lines: list[str]) -> None:
    """Docstrings as Sphinx reads them: what follows "name : " describes it, and bars are absolute values."""
    text = re.sub(r"^(\w+(?:, \w+)*) : (.*)$", r"\1\n    \2", "\n".join(lines), flags=re.MULTILINE)
    code = (">>>", "...")
    lines[:] = [line if line.lstrip().startswith(code) else line.replace("|", "\\|") for line in text.split("\n")]


def setup(app: Any) -> None:
    app.connect("source-read", bring)
    app.connect("autodoc-process-docstring", plain_text, priority=400)  # before napoleon
    app.connect("autodoc-skip-member", inherited_from_others)
