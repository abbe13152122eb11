"""The texts of a column: which of them have an input, and whether the column is an id.

The first 256 different texts have an input each, and any further one shares one of 64 hashed inputs, with a sign. A
column whose texts are nearly all different is under suspicion: new ones get no input. If that is so with 512 of them,
it is an id, and ignored from then on; if not, it never is, and what was seen is forgotten.
"""

from hashlib import blake2b

import numpy as np

from kernelpick.columns.inputs import SLOT, SLOTS, WORD, WORDS
from kernelpick.columns.values import Texts

SUSPECTED_AT, JUDGED_AT = 16, 512  # texts learned
MANY = (19, 20)  # 95 %: what share of them are different in an id

Born = list[tuple[int, str, str | int]]  # row, part and value of inputs
Starts = dict[
    tuple[str, str | int | None], int
]  # by part and value of an input that is new: the row that it starts with


class Words:
    def __init__(self) -> None:
        self.places: dict[
            str, int
        ] = {}  # of the texts that have an input, in order of appearance: where it is in a row
        self.slots: dict[int, int] = {}  # and of the hashed inputs that were needed
        self.count = 0  # texts learned, up to JUDGED_AT
        self.seen: set[int] = set()  # the hashes of these; empty once they are judged
        self.ignored = False

    @property
    def _alike_an_id(self) -> bool:
        return MANY[1] * len(self.seen) >= MANY[0] * self.count

    @property
    def _suspected(self) -> bool:
        return SUSPECTED_AT <= self.count < JUDGED_AT and self._alike_an_id

    def learn(self, texts: Texts) -> tuple[Born, int]:
        """Inputs that these rows bear, and the first row from which on the column is ignored."""
        born: Born = []
        if self.ignored:
            return born, 0
        rows = np.flatnonzero(texts.codes >= 0)
        unjudged = rows[: JUDGED_AT - self.count].tolist() if self.count < JUDGED_AT else []
        for row in unjudged:
            if self._count(word := texts.words[texts.codes[row]]):
                self._admit(word, row, born)
        if unjudged and self.count == JUDGED_AT:
            self.ignored = self._alike_an_id
            self.seen = set()
            if self.ignored:
                return born, unjudged[-1] + 1
        self._learn_judged(texts, rows[len(unjudged) :], born)
        return born, len(texts.codes)

    def _count(self, word: str) -> bool:
        """Whether a word may have an input, by what was learned before it; then it is counted."""
        trusted = not self._suspected
        self.count += 1
        self.seen.add(fingerprint(word))
        return trusted

    def only_counts(self, word: str) -> bool:
        """Whether nothing else would come of learning the word: no input, and no judgement."""
        return self.count + 1 != JUDGED_AT and (self.find(word)[0] >= 0 or self._suspected)

    def note(self, word: str) -> None:
        """Learn a word of which nothing else comes."""
        if self.count < JUDGED_AT:
            self._count(word)

    def _learn_judged(self, texts: Texts, rows: np.ndarray, born: Born) -> None:
        """Words that have no input yet, each in the first of its rows."""
        if not len(rows) or (len(self.places) == WORDS and len(self.slots) == SLOTS):
            return
        if all(word in self.places for word in texts.words):
            return
        codes, first = np.unique(texts.codes[rows], return_index=True)
        for at in np.argsort(first):
            self._admit(texts.words[codes[at]], int(rows[first[at]]), born)

    def _admit(self, word: str, row: int, born: Born) -> None:
        if word in self.places:
            return
        if len(self.places) < WORDS:
            self.places[word] = -1  # until all that are born with it have theirs
            born.append((row, WORD, word))
        elif (slot := slot_of(word)[0]) not in self.slots:
            self.slots[slot] = -1
            born.append((row, SLOT, slot))

    def write(self, texts: Texts, out: np.ndarray, starts: Starts, until: int) -> None:
        """1 or -1 into the rows (T, d), from the row in which an input was born, up to a row."""
        found = [self.find(word) for word in texts.words]
        rows = np.flatnonzero(texts.codes[:until] >= 0)
        if not len(rows):
            return
        codes = texts.codes[rows]
        place = np.array([place for place, _, _ in found])[codes]
        there = place >= 0
        if starts:
            there &= rows >= np.array([starts.get(key, 0) for _, _, key in found])[codes]
        sign = np.array([sign for _, sign, _ in found])[codes]
        out[rows[there], place[there]] = sign[there]

    def find(self, word: str) -> tuple[int, float, tuple[str, str | int]]:
        """The place of a word's input, -1 if it has none, what it is there, and which input that is."""
        place = self.places.get(word)
        if place is not None:
            return place, 1.0, (WORD, word)
        if len(self.places) < WORDS:
            return -1, 0.0, (WORD, word)
        slot, sign = slot_of(word)
        return self.slots.get(slot, -1), sign, (SLOT, slot)


def fingerprint(word: str) -> int:
    """A number of 63 bits that is the same on every machine."""
    return (
        int.from_bytes(blake2b(repr(word).encode("utf-8", "backslashreplace"), digest_size=8).digest(), "little") >> 1
    )


def slot_of(word: str) -> tuple[int, float]:
    """Which hashed input a word shares, and its sign there."""
    number = fingerprint(word)
    return number % SLOTS, 1.0 if number // SLOTS % 2 else -1.0
