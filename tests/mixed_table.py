"""A table as real life has them: a city, a time, a boolean, numbers that are missing now and then, a size, an id."""

import numpy as np
import pandas


def mixed(n_rows: int = 20_000, seed: int = 0) -> tuple[pandas.DataFrame, np.ndarray]:
    rng = np.random.default_rng(seed)
    city = rng.integers(200, size=n_rows)
    time = pandas.Timestamp("2024-03-01 06:00") + pandas.to_timedelta(np.sort(rng.uniform(0, 200 * 24, n_rows)), "h")
    weekend = rng.random(n_rows) < 0.3
    numbers = rng.normal(size=(n_rows, 3))
    size = rng.lognormal(2.0, 1.0, n_rows)
    hour = (time.hour + time.minute / 60).to_numpy()
    y = 2.0 * rng.normal(size=200)[city] + 2.0 * np.sin(2 * np.pi * hour / 24) + 1.5 * weekend
    y = y + numbers[:, 0] + np.sin(2 * numbers[:, 1]) + np.log(size) + 0.5 * rng.normal(size=n_rows)
    shown = np.where(rng.random(numbers.shape) < 0.15, np.nan, numbers)
    frame = {"city": [f"city {i}" for i in city], "time": time, "weekend": weekend}
    frame |= {name: shown[:, i] for i, name in enumerate("abc")}
    return pandas.DataFrame(frame | {"size": size, "id": [f"{i:x}" for i in rng.permutation(n_rows) + 10**6]}), y
