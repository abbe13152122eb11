"""Where a contest is held: the stream is read, and the contestant sent over it."""

from __future__ import annotations

from kernelpick.lab.compare.contest import Contest, Score, validate
from kernelpick.lab.compare.contestants import Setting
from kernelpick.lab.compare.ours import Ours
from kernelpick.lab.compare.peers import PEERS
from kernelpick.lab.compare.sources import opened


def hold(contest: Contest) -> tuple[Contest, Score]:
    """The contest and its score; the stream is read once a process."""
    stream = opened(contest.wanted).arranged(contest.wanted.shuffled, contest.seed)
    setting = Setting(len(stream.classes), stream.X.shape[1], contest.seed)
    if contest.contestant in PEERS:
        return contest, validate(lambda: PEERS[contest.contestant].build(setting), stream, forgiving=True)
    return contest, validate(lambda: Ours(contest.contestant, setting), stream, forgiving=False)
