"""Values of pandas, polars, NumPy and plain Python: what each is read as."""

import datetime
import decimal
import enum
import fractions

import numpy as np
import pytest

from kernelpick.columns import kinds
from kernelpick.columns.kinds import MISSING, NUMBER, TEXT, TIME, look
from kernelpick.columns.stream import Columns
from kernelpick.columns.tables import of_frame

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")

NOON = datetime.datetime(2024, 2, 29, 12)
SECONDS = 1_709_208_000  # since 1970, if noon is in UTC
ZONE = datetime.timezone(datetime.timedelta(hours=2))


class Colour(str, enum.Enum):  # noqa: UP042
    red = "red"


@pytest.mark.parametrize(
    ("value", "read"),
    [
        (1.5, (NUMBER, 1.5)),
        (3, (NUMBER, 3.0)),
        (True, (NUMBER, 1.0)),
        (np.bool_(True), (NUMBER, 1.0)),
        (np.float32(0.5), (NUMBER, 0.5)),
        (np.array(2.0), (NUMBER, 2.0)),
        (decimal.Decimal("1.5"), (NUMBER, 1.5)),
        (fractions.Fraction(1, 4), (NUMBER, 0.25)),
        (datetime.timedelta(minutes=2), (NUMBER, 120.0)),
        (np.timedelta64(1500, "ms"), (NUMBER, 1.5)),
        (pandas.Timedelta("1h"), (NUMBER, 3600.0)),
        ("1.5", (TEXT, "1.5")),
        (np.str_("a"), (TEXT, "a")),
        (Colour.red, (TEXT, "red")),
        (NOON, (TIME, (SECONDS * 10**6,) * 2)),
        (NOON.replace(tzinfo=ZONE), (TIME, ((SECONDS - 7200) * 10**6, SECONDS * 10**6))),
        (pandas.Timestamp(NOON, tz="Asia/Tokyo"), (TIME, ((SECONDS - 9 * 3600) * 10**6, SECONDS * 10**6))),
        (NOON.date(), (TIME, ((SECONDS - 12 * 3600) * 10**6,) * 2)),
        (np.datetime64(NOON), (TIME, (SECONDS * 10**6,) * 2)),
        (np.datetime64(SECONDS * 10**9, "ns"), (TIME, (SECONDS * 10**6,) * 2)),
    ],
)
def test_what_a_value_is(value, read):
    assert look(value) == read


@pytest.mark.parametrize(
    "value", [None, float("nan"), np.float32("nan"), np.datetime64("NaT"), np.timedelta64("NaT"), pandas.NaT, pandas.NA]
)
def test_what_is_missing(value):
    assert look(value) == kinds.NOTHING == (MISSING, None)


@pytest.mark.parametrize(
    "value",
    [[1.0], np.ones(2), b"a", 1j, object(), {}, float("inf"), 10**400, datetime.time(3), np.timedelta64(1, "Y")],
)
def test_what_is_nothing_of_that(value):
    assert look(value) is None
    with pytest.raises(ValueError, match=r"^'a' is .* where a finite number is expected") as caught:
        Columns(None).of_dict({"a": value})
    assert repr(value) in str(caught.value)
    if not isinstance(value, float | int):
        with pytest.raises(ValueError, match=r"'a' is .* in row 1, where"):
            of_frame(pandas.DataFrame({"a": pandas.Series([1.0, value], dtype=object)}))


TIMES = [NOON, None, NOON + datetime.timedelta(days=1, seconds=1)]
FRAMES = {
    "numbers": [1.5, None, 3.0],
    "whole": [1, 2, 3],
    "flags": [True, False, True],
    "texts": ["a", None, "b"],
    "times": TIMES,
    "zoned": [time and time.replace(tzinfo=ZONE) for time in TIMES],
    "dates": [NOON.date(), NOON.date(), None],
    "spans": [datetime.timedelta(seconds=90), None, datetime.timedelta(days=1)],
    "nothing": [None, None, None],
}


def one_by_one(rows):
    columns = Columns(None)
    found = [columns.learn(columns.of_dict(row))[0] for row in rows]
    return [np.pad(row[0], (0, columns.width - row.shape[1])) for row in found], columns.inputs()


@pytest.mark.parametrize("name", FRAMES)
@pytest.mark.parametrize("library", ["pandas", "pandas objects", "pandas own types", "polars"])
def test_a_column_of_a_frame_is_its_values(name, library):
    given = FRAMES[name]
    if library == "polars":
        frame = polars.DataFrame({name: TIMES if name == "zoned" else given})
        if name == "zoned":  # polars brings zones of Python's to UTC
            frame = frame.with_columns(polars.col(name).dt.replace_time_zone("Etc/GMT-2"))
    else:
        frame = pandas.DataFrame({name: pandas.Series(given, dtype=object if library == "pandas objects" else None)})
        frame = frame.convert_dtypes() if library == "pandas own types" else frame
    columns = Columns(None)
    matrix, _ = columns.learn(of_frame(frame))
    rows, inputs = one_by_one([{name: value} for value in given])
    np.testing.assert_array_equal(matrix, rows)
    assert columns.inputs() == inputs


def test_categories_are_texts_whatever_they_are_made_of():
    whole = pandas.DataFrame({"c": pandas.Categorical([3, 1, None, 3], categories=[1, 2, 3])})
    other = polars.DataFrame({"c": polars.Series(["3", "1", None, "3"], dtype=polars.Categorical)})
    for frame in (whole, other):
        columns = Columns(None)
        matrix, _ = columns.learn(of_frame(frame))
        assert columns.inputs() == {"c": ["c=3", "c=1", "c is missing"]}
        assert matrix.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]]


def test_two_columns_of_one_name_are_refused():
    with pytest.raises(ValueError, match="Two columns have the name 'a'"):
        of_frame(pandas.DataFrame([[1, 2]], columns=["a", "a"]))
