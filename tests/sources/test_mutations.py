"""10,000 damaged files: each is read or refused in a sentence, and every record is a row or a reject."""

import signal
import sqlite3

import pytest
from sources.mutations import mutated, random_bytes
from sources.whole import everything

from kernelpick.files.errors import DataError
from kernelpick.sources import Limits, Reading, open_source

LIMITS = Limits(line=4000, quoted=2000, field=131_072, columns=300)
PARTS, FILES = 10, 1000


@pytest.fixture
def watch():
    """A file that takes longer than five seconds hangs."""

    def hangs(number, frame):
        raise AssertionError("this file takes longer than five seconds")

    before = signal.signal(signal.SIGALRM, hangs)
    yield lambda: signal.setitimer(signal.ITIMER_REAL, 5)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_damaged_files_are_read_or_refused(tmp_path, part, watch):
    outcomes = {"read": 0, "rejects": 0, "refused": 0}
    for seed in range(part * FILES, (part + 1) * FILES):
        name, data = mutated(seed)
        path = tmp_path / name
        path.write_bytes(data)
        watch()
        try:
            _, rejects, numbers, _ = everything(str(path), limits=LIMITS)
        except DataError as problem:  # any other error would be one of ours
            outcomes["refused"] += 1
            assert str(problem).endswith("."), (seed, problem)
            continue
        outcomes["rejects" if rejects else "read"] += 1
        if seed % 10 == 0:
            _stops_at_the_first(str(path), numbers, rejects)
    assert min(outcomes.values()) > FILES // 20, outcomes  # all of these happen


def _stops_at_the_first(path, numbers, rejects):
    """Without skipping, the rows before the first reject come, then its sentence."""
    found = []
    try:
        for block in open_source(path, Reading(limits=LIMITS)).blocks():
            found += block.numbers.tolist()
        stopped = None
    except ValueError as problem:
        stopped = str(problem)
    first = rejects[0].number if rejects else None
    assert found == [number for number in numbers if first is None or number < first]
    assert stopped == (rejects[0].sentence if rejects else None)


def test_damaged_tables_are_read_or_refused(tmp_path, watch):
    """Formats that libraries read."""
    import random

    path = tmp_path / "t.db"
    with sqlite3.connect(path) as connection:
        connection.execute("create table t (a, b)")
        connection.executemany("insert into t values (?, ?)", [(i, f"w{i}") for i in range(200)])
    connection.close()
    whole, drawn = path.read_bytes(), random.Random(0)
    for _ in range(200):
        damaged = random_bytes(whole, drawn)
        path.write_bytes(whole[:100] + damaged[100:] if drawn.random() < 0.5 else damaged[: drawn.randrange(8000)])
        watch()
        try:
            everything(str(path), limits=LIMITS)
        except DataError as problem:
            assert str(problem)
