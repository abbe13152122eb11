"""Files of rows for a query of Spark's (soak_spark.py), of which some have a label that comes with a later file."""

import json
import os
import random
from pathlib import Path

FILES, ROWS, KEYS = 10, 60, "abcde"
SCHEMA = "sensor string, row long, time long, x double, city string, value double"


def write_rows(folder: Path, seed: int = 0) -> list[int]:
    """Files of rows, of which some have a label that comes one or three files later; the ids of all, those twice.

    Times do not go back from file to file. Spark writes down which files a micro-batch is of before it writes down
    that there is a batch: after a kill between the two it takes the next file into the same batch, and the rows of a
    batch are put in order.
    """
    rng, ids = random.Random(seed), []
    files: list[list[dict[str, object]]] = [[] for _ in range(FILES + 3)]
    folder.mkdir()
    for number, rows in enumerate(files[:FILES]):
        for place in range(ROWS):
            row = {"sensor": rng.choice(KEYS), "row": number * ROWS + place}
            value = {"value": rng.gauss(0, 0.1) + 2.0 * (x := rng.gauss(0, 1)) + KEYS.index(row["sensor"])}
            if rng.random() < 0.2:
                files[number + rng.choice([1, 3])].append(row | value)
                value = {}
            rows.append(row | value | {"x": x, "city": rng.choice(["Bonn", "Kiel", None])})
        rng.shuffle(rows)
        ids += [row["row"] for row in rows]
        path = folder / f"{number:03}.json"
        timed = [row | {"time": number * ROWS + rng.randrange(ROWS)} for row in rows]
        path.write_text("".join(json.dumps(row) + "\n" for row in timed), encoding="utf-8")
        os.utime(path, (1e9 + number, 1e9 + number))  # Spark takes files by their age
    return sorted(ids)
