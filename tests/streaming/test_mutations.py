"""Files that were damaged in many ways: a sentence or a model, and no row learned that is not reported."""

import csv
import random
import shutil

import pytest
from sources.mutations import DAMAGES
from streaming_commands import events, run

import kernelpick

FILES = 500
GOOD = 'id,city,when,size,price\n' + "".join(
    f'e{i},{["Bonn", "Kiel", "", chr(34) + "Ulm, D" + chr(34)][i % 4]},2024-05-{i % 28 + 1:02},{i * 37 % 101 / 7:.3f},'
    f'{"" if i % 13 == 5 else f"{i * 53 % 97 / 3:.2f}"}\n'
    for i in range(40)
)  # fmt: skip


def numbers(data, rng):
    return data.replace(
        b"3", rng.choice([b"1e999", b"nan", b"inf", b"-", b"\0", b"\xff\xfe", b"3e200"]), rng.randint(1, 9)
    )


def other_encoding(data, rng):
    return data.decode("latin-1").encode(rng.choice(["utf-16", "utf-8-sig", "utf-16-be", "cp500"]))


def shuffled(data, rng):
    lines = data.split(b"\n")
    rng.shuffle(lines)
    return b"\n".join(lines)


def ends(data, rng):
    return data.replace(b"\n", rng.choice([b"\r\n", b"\r", b"\n\n", b"\0\n"]))


MUTATIONS = (*DAMAGES, numbers, other_encoding, shuffled, ends)


@pytest.mark.long
@pytest.mark.parametrize("part", range(5))
def test_mutated_files(part, tmp_path, capsys):
    source, folder, codes = tmp_path / "s.csv", tmp_path / "out", []
    for number in range(part * FILES // 5, (part + 1) * FILES // 5):
        rng = random.Random(number)
        data = GOOD.encode()
        for mutate in rng.sample(MUTATIONS, rng.choice([1, 1, 2, 3])):
            data = mutate(data, rng) or b"x"
        source.write_bytes(data)
        folder.mkdir()
        files = ("--model", folder / "m", "--predictions", folder / "p.csv", "--rejects", folder / "r.csv")
        how = ("--on-error", rng.choice(["stop", "skip"]), "--json", "--checkpoint-every", rng.choice(["7", "1000"]))
        codes.append(run(source, "--target", rng.choice(["price", "price", "city"]), *files, *how))
        told = capsys.readouterr()
        assert codes[-1] in (0, 2, 3) and (not codes[-1] or "kernelpick: " in told.err), (number, told.err)
        assert "Traceback" not in told.err
        end = events(told.out).get("end")
        if end is None:
            assert not (folder / "m").exists() or codes[-1] == 2, number
        else:
            check(folder, end[0], number)
        shutil.rmtree(folder)
    assert {0, 2, 3} <= set(codes)


def rows_of(path):
    before = csv.field_size_limit(2**24)  # of the whole process, so it is put back
    try:
        with open(path, encoding="utf-8", errors="surrogatepass", newline="") as file:
            return list(csv.DictReader(file))
    finally:
        csv.field_size_limit(before)


def check(folder, end, number):
    model = kernelpick.load(folder / "m")
    learned = model.n_rounds_ if model._model is not None else 0
    assert learned == end["learned"] <= end["labelled"], number
    rows = rows_of(folder / "p.csv")
    assert len(rows) == end["labelled"] + end["unlabelled"] == end["records"] - end["rejected"], number
    assert sum(row["label"] != "" for row in rows) >= end["labelled"] - 1, number
    assert len(rows_of(folder / "r.csv")) == end["rejected"], number
