"""Columns of any kind once more: one row after the other, dicts in, dicts out, and everything that was seen is kept."""

import datetime
import math
from hashlib import blake2b

DEFAULTS = {"words": 256, "slots": 64, "suspected": 16, "judged": 512}


class NaiveColumns:
    """What each row becomes: a dict of readable inputs. Of what a row bears, born has the row's number."""

    def __init__(self, missing=None, **limits):
        self.missing, self.limits = missing, DEFAULTS | limits
        self.history = []  # the rows that were learned
        self.born = {}  # readable input -> number of the row
        self.known = {}  # column -> what is known of it

    def learn(self, row):
        for name in row:
            self.known.setdefault(name, {"since": len(self.history), "texts": [], "words": [], "first": None})
        for name, value in row.items():
            self.bear(name, value)
        for name in self.known.keys() - row.keys():
            if self.counts_as_missing(name):
                self.bear(name, None)
        found = self.read(row)
        for name, value in row.items():
            if isinstance(value, str) and len(self.known[name]["texts"]) < self.limits["judged"]:
                self.known[name]["texts"].append(value)
        self.history.append(row)
        return found

    def read(self, row):
        found = dict.fromkeys(self.born, 0.0)
        for name in self.known:
            if name in row:
                self.write(name, row[name], found)
            elif self.counts_as_missing(name):
                self.write(name, None, found)
        return found

    def counts_as_missing(self, name):
        if self.missing in ("zero", "mean"):
            return self.missing == "mean"
        rows = self.history[self.known[name]["since"] :]
        there = sum(name in row for row in rows)
        return there > len(rows) / 2 and there >= 8

    def ignored(self, name):
        texts = self.known[name]["texts"]
        return len(texts) == self.limits["judged"] and len(set(texts)) >= 0.95 * len(texts) - 1e-9

    def suspected(self, name):
        texts = self.known[name]["texts"]
        judged = len(texts) == self.limits["judged"]
        return not judged and len(texts) >= self.limits["suspected"] and len(set(texts)) >= 0.95 * len(texts) - 1e-9

    def bear(self, name, value):
        if self.ignored(name):
            return
        known = self.known[name]
        if is_missing(value):
            needed = [f"{name} is missing"] if self.missing in (None, "mean") else []
        elif isinstance(value, str):
            if not self.suspected(name) and value not in known["words"] and len(known["words"]) < self.limits["words"]:
                known["words"].append(value)
            needed = [] if self.suspected(name) and value not in known["words"] else [self.word(name, value)[0]]
        elif isinstance(value, datetime.date):
            known["first"] = instant(value) if known["first"] is None else known["first"]
            needed = [f"{name} {part}" for part in ("seconds", "day sine", "day cosine")]
            needed += [f"{name} hour sine", f"{name} hour cosine"] if time_of_day(value) else []
        else:
            needed = [str(name)]
        for one in needed:
            self.born.setdefault(one, len(self.history))

    def word(self, name, text):
        known = self.known[name]["words"]
        if text in known:
            return f"{name}={text}", 1.0
        if len(known) < self.limits["words"]:
            return None, 0.0
        digest = blake2b(repr(text).encode(), digest_size=8).digest()
        number = int.from_bytes(digest, "little") // 2
        return f"{name} hash {number % self.limits['slots']}", 2.0 * (number // self.limits["slots"] % 2) - 1

    def write(self, name, value, found):
        if self.ignored(name):
            return
        nothing = 0.0 if self.missing == "zero" else math.nan
        written = {str(name): nothing, f"{name} seconds": nothing}
        if is_missing(value):
            written[f"{name} is missing"] = 1.0
        elif isinstance(value, str):
            written.update([self.word(name, value)])
        elif isinstance(value, datetime.date):
            if self.known[name]["first"] is not None:
                written[f"{name} seconds"] = (instant(value) - self.known[name]["first"]).total_seconds()
            for circle, turn in (("hour", time_of_day(value) / 86400), ("day", (value.weekday() - 3) % 7 / 7)):
                written[f"{name} {circle} sine"] = math.sin(2 * math.pi * turn)
                written[f"{name} {circle} cosine"] = math.cos(2 * math.pi * turn)
        else:
            written[str(name)] = float(value)
        found.update({one: number for one, number in written.items() if one in found})


def is_missing(value):
    return value is None or (isinstance(value, float) and math.isnan(value))


def time_of_day(value):
    """Seconds of the local clock."""
    if not isinstance(value, datetime.datetime):
        return 0.0
    return value.hour * 3600 + value.minute * 60 + value.second + value.microsecond / 1e6


def instant(value):
    """In a zone, UTC if nobody says."""
    if not isinstance(value, datetime.datetime):
        value = datetime.datetime(value.year, value.month, value.day)
    return value.replace(tzinfo=value.tzinfo or datetime.UTC)
