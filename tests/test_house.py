"""Files that fit a few screens, functions told few things, few modules beside the rooms, and a name for each class."""

import ast
from collections import Counter
from pathlib import Path

import kernelpick

HOUSE = Path(kernelpick.__file__).parent
ROOT = Path(__file__).parents[1]
LINES, PARAMETERS, FLAT = 250, 8, 10
MANY = {"__init__", "trace"}  # which users call with names
SHARED = {  # names of several classes, and why
    "KernelClassifier": "the estimator of each face, which users import from it",
    "KernelRegressor": "the estimator of each face, which users import from it",
    "Notes": "what a learner writes down in a round, one for each learner that does",
    "Options": "what a command is told, one for each command of the lab and one for Spark",
    "Work": "scratch of a space, one for each space that needs its own",
}


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


def test_a_name_is_of_one_class():
    trees = [ast.parse(path.read_text("utf-8")) for path in HOUSE.rglob("*.py")]
    names = Counter(node.name for tree in trees for node in tree.body if isinstance(node, ast.ClassDef))
    assert names.total() > 300 and {name for name, count in names.items() if count > 1} == set(SHARED)
