"""Which sources a result depends on follows from the imports."""

import shutil

import pytest

from kernelpick.lab.running.stamps import PACKAGE, digest, sources

RUNS, CONTEST = "kernelpick.lab.reproduce.runs", "kernelpick.lab.compare.contest"
OURS, PEERS = "kernelpick.lab.compare.ours", "kernelpick.lab.compare.peers"


def names(*modules, package=PACKAGE):
    return {path.relative_to(package).as_posix() for path in sources(*modules, package=package)}


def test_a_run_depends_on_the_core_and_the_readers_but_not_on_what_shows_it():
    found = names(RUNS)
    assert {"core/stream.py", "core/loop.py", "core/losses/hinge.py", "core/learners/newton.py"} <= found
    assert {"sources/arff.py", "lab/datasets/raw.py", "lab/datasets/ranges.py", "lab/reproduce/runs.py"} <= found
    shown = {"cli.py", "lab/reproduce/report.py", "lab/reproduce/command.py", "lab/running/journal.py"}
    assert not found & shown and not any(name.startswith(("lab/pages", "lab/compare", "river")) for name in found)


def test_ours_depends_on_no_peer_and_a_peer_on_none_of_ours():
    ours, peers = names(CONTEST, OURS), names(CONTEST, PEERS)
    assert {"core/loop.py", "sklearn/regressor.py"} <= ours and "lab/compare/river_peers.py" not in ours
    assert "lab/compare/river_peers.py" in peers and not peers & {"core/loop.py", "sklearn/regressor.py"}


@pytest.fixture
def made(tmp_path):
    """made(name=text, ...) is a package of these modules; __ parts folders."""

    def made(**modules):
        for name, text in modules.items():
            path = tmp_path.joinpath(*name.split("__")).with_suffix(".py")
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
            (path.parent / "__init__.py").touch()
        return tmp_path

    return made


@pytest.mark.parametrize(
    "statement",
    [
        "import kernelpick.room.b",
        "from kernelpick.room import b",
        "from kernelpick.room.b import thing",
        "from . import b",
        "from .b import thing",
        "from ..room import b as other",
        "def f():\n    if f:\n        from kernelpick.room import b",
        "try:\n    import kernelpick.room.b\nexcept ImportError:\n    pass",
    ],
)
def test_every_way_to_import_is_seen(made, statement):
    package = made(room__a=statement, room__b="import c", c="", d="")
    assert names("kernelpick.room.a", package=package) == {"room/__init__.py", "room/a.py", "room/b.py"}


def test_what_only_a_type_checker_imports_does_not_count(made):
    checked = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import kernelpick.b\nimport kernelpick.c"
    assert names("kernelpick.a", package=made(a=checked, b="", c="")) == {"a.py", "c.py"}


def test_the_package_itself_counts_where_a_name_comes_from_it(made):
    package = made(a="from kernelpick import b", b="from kernelpick import __version__")
    assert names("kernelpick.a", package=package) == {"__init__.py", "a.py", "b.py"}


def test_circles_end_and_a_module_that_is_none_is_told(made):
    package = made(a="import kernelpick.b", b="import kernelpick.a")
    assert names("kernelpick.a", package=package) == {"a.py", "b.py"}
    with pytest.raises(ValueError, match=r"kernelpick\.e is no module of"):
        sources("kernelpick.e", package=package)


@pytest.mark.parametrize(
    ("edited", "matters"),
    [
        ("core/loop.py", True),
        ("core/losses/hinge.py", True),
        ("lab/pages/html.py", False),
        ("lab/reproduce/report.py", False),
    ],
)
def test_an_edit_is_another_stamp_if_it_can_change_a_number(tmp_path, edited, matters):
    package = tmp_path / "kernelpick"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    before = digest(sources(RUNS, package=package))
    with (package / edited).open("a") as file:
        file.write("# edited\n")
    assert (digest(sources(RUNS, package=package)) != before) is matters
