"""Rows in tables, cut anywhere, become what they become one by one in a plain second writing."""

from itertools import groupby

import numpy as np
import pytest
from any_values import PLACES, SMALL, VALUES
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_columns import NaiveColumns

from kernelpick.columns import values, words
from kernelpick.columns.stream import Columns
from kernelpick.columns.tables import Table

KEYS = st.sets(st.sampled_from(list(VALUES)))


def rows_of(keys, most):
    """Rows that have these keys."""
    return st.lists(st.fixed_dictionaries({key: VALUES[key] for key in keys}), min_size=1, max_size=most)


BLOCKS = st.lists(KEYS.flatmap(lambda keys: rows_of(keys, 20)), min_size=1, max_size=5)


def table_of(rows):
    """Rows that have the same keys."""
    names = list(rows[0])
    return Table(names, [values.of_objects(name, [row[name] for row in rows]) for name in names], len(rows))


def pieces(rows, marks):
    """The rows cut at marks, and where their keys change."""
    for _, group in groupby(enumerate(rows), key=lambda pair: (sum(mark <= pair[0] for mark in marks), set(pair[1]))):
        yield [row for _, row in group]


def assert_same(found, expected):
    assert found.keys() == expected.keys()
    names = list(expected)
    numbers = [[one[name] for name in names] for one in (found, expected)]
    np.testing.assert_allclose(*numbers, rtol=1e-9, atol=1e-9, err_msg=str(names))


def learned(columns, table):
    """Dicts of readable inputs that are there in each row, and the inputs that each row bears."""
    there = [str(one) for column in columns.columns for one in column.inputs()]
    matrix, births = columns.learn(table)
    places = {str(one): place for column in columns.columns for one, place in placed(column).items()}
    born = {row: sorted(map(str, inputs)) for row, inputs in births}
    for row, numbers in enumerate(matrix):
        there += born.get(row, [])
        assert not numbers[[place for name, place in places.items() if name not in there]].any()  # not born yet
        yield {name: numbers[places[name]] for name in there}, born.get(row, [])


def placed(column):
    inputs = column.inputs()
    lists = [column.places, column.words.places, column.words.slots]
    return dict(zip(inputs, sorted(place for places in lists for place in places.values()), strict=True))


@settings(max_examples=150, deadline=None)
@given(
    BLOCKS,
    st.lists(st.integers(0, 100), max_size=5),
    st.sampled_from([None, "zero", "mean"]),
    KEYS.flatmap(lambda keys: rows_of(keys, 2)),
)
def test_cuts_do_not_matter(blocks, marks, missing, others):
    rows = [row for block in blocks for row in block]
    with pytest.MonkeyPatch.context() as patch:
        for name, limit in SMALL.items():
            patch.setattr(words, PLACES[name], limit)
        compare(rows, marks, missing, others, SMALL)


def compare(rows, marks, missing, others, limits):
    naive, columns = NaiveColumns(missing, **limits), Columns(missing)
    for piece in pieces(rows, marks):
        one_by_one = len(piece) == 1 and len(piece[0]) % 2
        table = columns.of_dict(piece[0]) if one_by_one else table_of(piece)
        for row, (found, born) in zip(piece, learned(columns, table), strict=True):
            number = len(naive.history)
            assert_same(found, naive.learn(row))
            assert born == sorted(name for name, at in naive.born.items() if at == number)
    places = {str(one): place for column in columns.columns for one, place in placed(column).items()}
    for row in others:  # to predict
        for table in (columns.of_dict(row), table_of([row, row])):
            for numbers in columns.read(table):
                assert_same({name: numbers[place] for name, place in places.items()}, naive.read(row))


@pytest.mark.parametrize("share", [0.9, 1.0], ids=["not an id", "an id"])
def test_the_limits_as_they_are(share):
    rng = np.random.default_rng(0)
    rows = [
        {
            "many": str(rng.integers(400)) if rng.random() < 0.9 else None,
            "id": str(t if rng.random() < share else rng.integers(20)),
            "number": None if t % 5 == 0 else t / 7,
        }
        for t in range(1200)
    ]
    rows[50:] = [row if t % 3 else {"many": row["many"], "id": row["id"]} for t, row in enumerate(rows[50:])]
    compare(rows, [1, 2, 90, 513, 700], None, rows[:5], {})
