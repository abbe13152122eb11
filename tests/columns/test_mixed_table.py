"""A table of mixed columns goes in as it is, beside gradient boosting that is told what they are."""

import pytest

pytest.importorskip("river")
pandas = pytest.importorskip("pandas")

from mixed_table import mixed  # noqa: E402
from sklearn.ensemble import HistGradientBoostingRegressor  # noqa: E402
from sklearn.metrics import r2_score  # noqa: E402
from threadpoolctl import threadpool_limits  # noqa: E402

from kernelpick import KernelRegressor  # noqa: E402
from kernelpick.river import KernelRegressor as RiverRegressor  # noqa: E402

FIRST, BATCH = 15_000, 13_000  # rows to learn, and how many of them at once where both can be; the others are predicted


@pytest.mark.filterwarnings("ignore:The column 'id' is ignored")
def test_mixed_rows_without_any_preparation():
    frame, y = mixed()
    told = frame.drop(columns=["id", "time"]).assign(city=frame.city.astype("category"))
    told["hour"] = frame.time.dt.hour + frame.time.dt.minute / 60
    with threadpool_limits(1):
        trees = HistGradientBoostingRegressor(categorical_features="from_dtype", random_state=0)
        bar = r2_score(y[FIRST:], trees.fit(told[:FIRST], y[:FIRST]).predict(told[FIRST:])) - 0.02
    assert bar > 0.85
    ours = KernelRegressor(random_state=0).fit(frame[:FIRST], y[:FIRST])
    assert r2_score(y[FIRST:], ours.predict(frame[FIRST:])) > bar
    stream = RiverRegressor(seed=0)
    stream.learn_many(frame[:BATCH], y[:BATCH])
    for x, target in zip(frame[BATCH:FIRST].to_dict("records"), y[BATCH:FIRST], strict=True):
        stream.learn_one(x, target)
    assert r2_score(y[FIRST:], stream.predict_many(frame[FIRST:])) > bar
    assert len(ours.inputs_["city"]) == len(stream.inputs_["city"]) == 200
