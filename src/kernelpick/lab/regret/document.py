"""The tables and pictures of docs/regret.md, from folders that `kernelpick regret --out DIR/RUN` has written:

    python -m kernelpick.lab.regret.document DIR docs/regret.md

The text between <!-- begin RUN/STREAM-TABLE --> and <!-- end RUN/STREAM-TABLE --> is replaced by that table, and
each picture that the page shows as regret/RUN/STREAM-PICTURE.svg is put there. What DIR does not have stays as it is,
since a run takes minutes, and is told. All else is written by hand.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from kernelpick.files.errors import DataError
from kernelpick.lab.pages.marks import marked, rewrite
from kernelpick.lab.running.folder import write

PICTURE = re.compile(r"\]\(regret/([\w-]+/[\w+-]+\.svg)\)")


def fill(folder: Path, page: Path) -> list[str]:
    """Take what the page asks for; gives the names of what is not there."""
    told = page.read_text(encoding="utf-8")
    wanted = [*(f"{name}.md" for name in marked(told)), *PICTURE.findall(told)]
    there = {name: _part(folder, name) for name in wanted if _part(folder, name).is_file()}
    if not there:
        raise DataError(
            f"{folder} has nothing that {page} asks for: run kernelpick regret with --out {folder}/RUN first."
        )
    tables = {}
    for name, path in there.items():
        content = path.read_text(encoding="utf-8")
        if path.suffix == ".svg":
            picture = page.parent / "regret" / name
            picture.parent.mkdir(parents=True, exist_ok=True)
            write(picture, content)
        else:
            tables[name.removesuffix(".md")] = content.rstrip("\n")
    write(page, rewrite(told, tables))
    return [name for name in wanted if name not in there]


def _part(folder: Path, name: str) -> Path:
    run, part = name.split("/")
    return folder / run / "parts" / part


if __name__ == "__main__":
    for name in fill(Path(sys.argv[1]), Path(sys.argv[2])):
        print(f"{name} is not there, and stays as it is.")
