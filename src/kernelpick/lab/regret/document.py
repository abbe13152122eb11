"""The tables and pictures of docs/regret.md, from folders that `kernelpick regret --out DIR/NAME` has written:

    python -m kernelpick.lab.regret.document DIR docs/regret.md

The text between <!-- begin NAME/STREAM-TABLE --> and <!-- end NAME/STREAM-TABLE --> is replaced by that table, and
each picture that the page shows as regret/NAME/STREAM-PICTURE.svg is put there. All else is written by hand.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from kernelpick.files.errors import DataError
from kernelpick.lab.pages.marks import marked, rewrite
from kernelpick.lab.running.folder import write

PICTURE = re.compile(r"\]\((regret/[\w-]+/[\w+-]+\.svg)\)")


def fill(folder: Path, page: Path) -> None:
    """Take what the page asks for."""
    told = page.read_text(encoding="utf-8")
    tables = {name: _part(folder, f"{name}.md").rstrip("\n") for name in marked(told)}
    pictures = {link: _part(folder, link.removeprefix("regret/")) for link in PICTURE.findall(told)}
    for link, picture in pictures.items():
        (page.parent / link).parent.mkdir(parents=True, exist_ok=True)
        write(page.parent / link, picture)
    write(page, rewrite(told, tables))


def _part(folder: Path, name: str) -> str:
    run, part = name.split("/")
    path = folder / run / "parts" / part
    if not path.is_file():
        raise DataError(f"{path} is not there: run kernelpick regret with --out {folder / run} first.")
    return path.read_text(encoding="utf-8")


if __name__ == "__main__":
    fill(Path(sys.argv[1]), Path(sys.argv[2]))
