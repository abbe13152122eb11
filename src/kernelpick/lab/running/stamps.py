"""Which files decide what comes out of a piece of work, and a short name for their contents.

Results of different code or data are never mixed: each carries such a name. Which code it is follows from the import
statements, those inside functions too; so nothing has to be kept up by hand when a module moves. What is imported by a
name that is made at run time is not seen; the core, which finds its parts so, counts as a whole for whoever needs any
of them, and not for those who only take its random numbers or its sentences.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

ROOT = "kernelpick"
PACKAGE = Path(__file__).parents[2]
PARTS = "kernelpick.core.parts"  # what all that is found at run time stands on


def digest(paths: Iterable[Path]) -> str:
    """A short name for the contents of files."""
    digest = hashlib.blake2b(digest_size=6)
    for path in paths:
        with path.open("rb") as file:
            while block := file.read(2**20):  # the whole of SUSY is larger than some memories
                digest.update(block)
        digest.update(b"\0")
    return digest.hexdigest()


@cache
def sources(*modules: str, package: Path = PACKAGE) -> tuple[Path, ...]:
    """The files of the package that these modules need, directly or through others."""
    found: dict[str, Path] = {}
    pending = list(modules)
    while pending:
        name = pending.pop()
        path = _file(name, package)
        if path is None:
            raise ValueError(f"{name} is no module of {package}, so its sources cannot be found.")
        if name not in found:
            found[name] = path
            pending += [needed for needed in _imported(name, path, package) if needed not in found]
    core = package / "core"
    whole = set(core.rglob("*.py")) if PARTS in found else set()
    return tuple(sorted(whole.union(found.values())))


def _file(module: str, package: Path) -> Path | None:
    root, *parts = module.split(".")
    place = package.joinpath(*parts)
    candidates = (place / "__init__.py", place.with_name(f"{place.name}.py"))
    return next((path for path in candidates if root == ROOT and path.is_file()), None)


def _imported(module: str, path: Path, package: Path) -> Iterator[str]:
    """The modules of the package that one of them imports, and the folders that these lie in.

    The package itself comes along only if something is imported from its own file: that one lists public names and
    fetches them when asked.
    """
    here = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
    for statement in _statements(ast.parse(path.read_bytes())):
        if isinstance(statement, ast.Import):
            names = [alias.name for alias in statement.names]
        else:
            above = here[: len(here) + 1 - statement.level] if statement.level else []
            base = ".".join([*above, *([statement.module] if statement.module else [])])
            full = [f"{base}.{alias.name}" for alias in statement.names]
            names = [name if _file(name, package) else base for name in full]
        if "kernelpick.core" in names:  # it fetches what it is asked for
            names.append(PARTS)
        for name in names:
            if _file(name, package):
                parts = name.split(".")
                yield from (".".join(parts[:length]) for length in range(min(2, len(parts)), len(parts) + 1))


def _statements(node: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """All imports below a node, but for those that only a type checker follows."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child
        elif not (isinstance(child, ast.If) and ast.unparse(child.test).endswith("TYPE_CHECKING")):
            yield from _statements(child)
