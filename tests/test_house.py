"""Files that fit a few screens, functions that are told few things, and few modules beside the rooms."""

import ast
from pathlib import Path

import kernelpick

HOUSE = Path(kernelpick.__file__).parent
ROOT = Path(__file__).parents[1]
LINES, PARAMETERS, FLAT = 250, 8, 10
MANY = {"__init__", "trace"}  # which users call with names


def test_files_are_short():
    files = [path for folder in ("src", "tests", "examples", "benchmarks") for path in (ROOT / folder).rglob("*.py")]
    long = {str(path): n for path in files if (n := len(path.read_text("utf-8").splitlines())) > LINES}
    assert len(files) > 600 and not long


def test_functions_are_told_few_things():
    seen, many = 0, []
    for path in HOUSE.rglob("*.py"):
        if path.parent.name == "numerics":
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                told = node.args
                names = [one.arg for one in (*told.posonlyargs, *told.args, *told.kwonlyargs)]
                count = len([name for name in names if name not in ("self", "cls")])
                seen += 1
                if count > PARAMETERS and node.name not in MANY:
                    many.append(f"{path.relative_to(HOUSE)}: {node.name} has {count}")
    assert seen > 2000 and not many


def test_few_modules_lie_beside_the_rooms():
    flat = sorted(path.stem for path in HOUSE.glob("*.py") if not path.stem.startswith("__"))
    assert len(flat) <= FLAT, flat
