"""Values of columns of all kinds, drawn by hypothesis, and small numbers in the place of those that judge texts."""

import datetime

from hypothesis import strategies as st

SMALL = {"words": 4, "slots": 3, "suspected": 5, "judged": 14}
PLACES = {"words": "WORDS", "slots": "SLOTS", "suspected": "SUSPECTED_AT", "judged": "JUDGED_AT"}
ZONE = datetime.timezone(datetime.timedelta(hours=5, minutes=30))
DATES = st.datetimes(datetime.datetime(1960, 1, 1), datetime.datetime(2060, 1, 1))
NUMBERS = st.one_of(st.floats(-1e6, 1e6), st.booleans(), st.integers(-5, 5))
TEXTS = st.text("abc", max_size=2)
TIMES = st.one_of(DATES, DATES.map(lambda time: time.replace(tzinfo=ZONE)), DATES.map(datetime.datetime.date))
GONE = st.sampled_from([None, float("nan")])
VALUES = {
    "number": st.one_of(NUMBERS, NUMBERS, GONE),
    "text": st.one_of(TEXTS, TEXTS, GONE),
    "id": st.one_of(st.integers(0, 300).map(str), GONE),
    "time": st.one_of(TIMES, TIMES, GONE),
    ("any", 1): st.one_of(NUMBERS, TEXTS, TIMES, GONE),
}
