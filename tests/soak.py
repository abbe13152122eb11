"""Four readers and a learner on one model, with new columns, texts and classes, saves and loads, as long as is asked.

No reader may see an error, and in the end the model must be, byte for byte, one that learned the same rows alone, in
another cut. Ctrl-C ends it early, and what was done so far is compared.

    python tests/soak.py --seconds 600
"""

import argparse
import sys
import tempfile
import threading
import time
from pathlib import Path

import pandas
from streams_with_births import Stream

import kernelpick
from kernelpick.river import KernelClassifier

CASES = ("auto", "rf-oks++", "rf-ioks", "raker", "oks++", "lkmbooks")
EXACT = 3000  # rows after which algorithms that store all examples become slow


def one_case(algorithm: str, seconds: float) -> int:
    """Learn and read for that long; the number of rows, or an AssertionError."""
    stream, done, errors, answers = Stream(columns_every=150, classes_every=700), threading.Event(), [], [0] * 4
    shared = KernelClassifier(algorithm, n_features=32, budget=60, seed=0)
    for t in range(40):
        shared.learn_one(*stream.row(t))
    rows = 40

    def read(reader: int) -> None:
        t = reader
        while not done.is_set():
            t = (t + 7) % max(rows, 1)
            try:
                x, _ = stream.row(t)
                READS[reader](shared, x)
                answers[reader] += 1
            except BaseException as error:
                errors.append(error)
                return

    threads = [threading.Thread(target=read, args=(reader,)) for reader in range(4)]
    for thread in threads:
        thread.start()
    with tempfile.TemporaryDirectory() as folder:
        path, stop = Path(folder) / "model.kpick", time.monotonic() + seconds
        try:
            while time.monotonic() < stop and not errors and not ("oks++" == algorithm and rows >= EXACT):
                before, rows = rows, learn(shared, stream, rows)
                if before // 50 < rows // 50:
                    shared.save(path, wait=rows % 2 == 0)
                if before // 100 < rows // 100 and path.exists():
                    kernelpick.load(path).predict_one(stream.row(rows)[0])
        finally:
            done.set()
            for thread in threads:
                thread.join()
        shared.save(path)
        assert kernelpick.load(path).to_bytes() == shared.to_bytes(), "a loaded model is another one"
    assert not errors, f"a reader saw {errors[0]!r}"
    alone = KernelClassifier(algorithm, n_features=32, budget=60, seed=0)
    for t in range(rows):
        alone.learn_one(*stream.row(t))
    assert alone.to_bytes() == shared.to_bytes(), f"{rows} rows with readers and without give different models"
    if seconds:
        print(f"{algorithm:>9}: {rows} rows, {sum(answers)} answers, the same bits", flush=True)
    return rows


def learn(model: KernelClassifier, stream: Stream, t: int) -> int:
    """The next rows, one by one or as a frame; the number of rows so far."""
    if t % 3:
        model.learn_one(*stream.row(t))
        return t + 1
    batch = [stream.row(i) for i in range(t, t + 40)]
    # absent keys are missing values in a frame, and may be zeros in a dict: a frame of rows with the same keys
    same = [(x, y) for x, y in batch if set(x) == set(batch[0][0])]
    count = next((i for i, row in enumerate(batch) if row not in same), len(batch))
    model.learn_many(pandas.DataFrame([x for x, _ in batch[:count]]), [y for _, y in batch[:count]])
    return t + count


READS = (
    lambda model, x: model.predict_one(x),
    lambda model, x: abs(sum(model.predict_proba_one(x).values()) - 1) < 1e-9 or 1 / 0,
    lambda model, x: model.predict_many(pandas.DataFrame([x, x])),
    lambda model, x: (model.n_rounds_, model.inputs_, model.probabilities_, kernelpick.from_bytes(model.to_bytes())),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=600)
    seconds = parser.parse_args().seconds / len(CASES) / 2  # half of the time is for learning alone
    sys.setswitchinterval(1e-4)
    for algorithm in CASES:
        one_case(algorithm, 0.0)  # compiles
        one_case(algorithm, seconds)


if __name__ == "__main__":
    main()
