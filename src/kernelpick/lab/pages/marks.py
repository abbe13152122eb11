"""Generated parts of a page that is otherwise written by hand."""

from __future__ import annotations

import re
from collections.abc import Mapping


def rewrite(page: str, parts: Mapping[str, str]) -> str:
    """The page with each part between its marks, <!-- begin NAME --> and <!-- end NAME -->."""
    for name, content in parts.items():
        marks = re.search(rf"<!-- begin {name} -->\n(.*?)<!-- end {name} -->", page, re.S)
        if marks is None:
            raise ValueError(f"The page has no marks <!-- begin {name} --> and <!-- end {name} -->; add them.")
        page = f"{page[: marks.start(1)]}{content}\n{page[marks.end(1) :]}"
    return page


def marked(page: str) -> list[str]:
    """The names of the parts that a page asks for.

    >>> marked("<!-- begin one -->\\n<!-- end one -->")
    ['one']
    """
    return re.findall(r"<!-- begin (\S+) -->", page)
