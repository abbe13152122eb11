"""Damaged files: one of each format, cut, overwritten, mixed and swollen in ways that are drawn by a seed."""

import gzip
import random

CSV = "id,when,city,price\n" + "".join(
    f'{i},2024-05-{i % 28 + 1:02d},"B{i % 3}, am ""Rhein""",{i * 1.5}\n' for i in range(12)
)
TSV = "a\tb\tc\n" + "".join(f"{i}\tx{i}\t{-i}e3\n" for i in range(12))
NUMBERS = "a,b,c,d\n" + "".join(f"{i},{i / 7},-{i},{i}e-3\n" for i in range(20))
JSON = "".join(f'{{"a": {i}, "b": "w{i % 4}", "c": null}}\n' for i in range(12))
LIBSVM = "".join(f"{i % 2 * 2 - 1:+d} 1:{i} 3:{i / 3} 7:1\n" for i in range(12))
ARFF = "@relation r\n@attribute a numeric\n@attribute 'b c' {x,'y z'}\n@data\n" + "".join(
    f"{i},{'x' if i % 2 else repr('y z')}\n" for i in range(12)
)
FILES = {
    "d.csv": CSV.encode(),
    "t.tsv": TSV.encode(),
    "n.csv": NUMBERS.encode(),
    "w.csv": CSV.replace("B", "Kö").encode("utf-16"),
    "g.csv.gz": gzip.compress(CSV.encode(), mtime=0),
    "j.jsonl": JSON.encode(),
    "l.svm": LIBSVM.encode(),
    "a.arff": ARFF.encode(),
    "plain": NUMBERS.replace(",", ";").encode(),
}


def cut(data, drawn):
    return data[: drawn.randrange(len(data) + 1)]


def random_bytes(data, drawn):
    changed = bytearray(data)
    for _ in range(drawn.randrange(1, 9)):
        changed[drawn.randrange(len(changed))] = drawn.randrange(256)
    return bytes(changed)


def other_delimiters(data, drawn):
    one, other = drawn.sample(b',;\t|: {}"\n\r', 2)
    first = drawn.randrange(len(data))
    return data[:first] + data[first:].replace(bytes([one]), bytes([other]), drawn.choice((1, 3, -1)))


def huge_fields(data, drawn):
    place = drawn.randrange(len(data))
    return (
        data[:place]
        + drawn.choice((b"9", b"x", b",", b'"', b"[", b" ")) * drawn.choice((600, 3000, 9000))
        + data[place:]
    )


def mixed_encodings(data, drawn):
    place = drawn.randrange(len(data))
    text = "größer,北京\n1,2,3,4\n".encode(
        drawn.choice(("latin-1", "utf-16", "utf-8-sig", "cp1252", "utf-32")), "replace"
    )
    return data[:place] + text + data[place:]


def nul(data, drawn):
    place = drawn.randrange(len(data))
    return data[:place] + b"\0" * drawn.choice((1, 1, 50)) + data[place:]


def quotes(data, drawn):
    for _ in range(drawn.randrange(1, 4)):
        place = drawn.randrange(len(data))
        data = data[:place] + drawn.choice((b'"', b"'", b'""', b'"\n', b',"', b'",')) + data[place:]
    return data


def doubled(data, drawn):
    start, stop = sorted(drawn.randrange(len(data)) for _ in range(2))
    return data[:stop] + data[start:stop] + data[stop:]


def gone(data, drawn):
    start = drawn.randrange(len(data))
    return data[:start] + data[start + drawn.randrange(1, 20) :]


DAMAGES = (cut, random_bytes, other_delimiters, huge_fields, mixed_encodings, nul, quotes, doubled, gone)


def mutated(seed):
    """The name and the bytes of a damaged file."""
    drawn = random.Random(seed)
    name = drawn.choice(sorted(FILES))
    data = FILES[name]
    for damage in drawn.choices(DAMAGES, k=drawn.choice((1, 1, 2, 3))):
        data = damage(data or b"\n", drawn)
    return name, data
