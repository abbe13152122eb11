"""Contestants of the tests' streams, and what they say."""

import pytest
from threadpoolctl import threadpool_limits

from kernelpick.lab.compare.contestants import Contestant, Setting
from kernelpick.lab.compare.ours import Ours
from kernelpick.lab.compare.peers import PEERS

STREAMS = ("regression", "classification", "three_classes")


def builder(name, stream, seed=1):
    setting = Setting(len(stream.classes), stream.X.shape[1], seed)
    if name in PEERS and PEERS[name].lacks:
        pytest.skip(f"for want of {PEERS[name].lacks}")
    if name in PEERS and PEERS[name].labels_only and not stream.classes:
        pytest.skip(f"{name} learns labels only")
    return lambda: PEERS[name].build(setting) if name in PEERS else Ours(name, setting)


def answers(contestant: Contestant, stream):
    said = []
    with threadpool_limits(1):  # as in a contest: threads that wait for each other take seconds on a busy machine
        contestant.answer_and_learn(contestant.prepared(stream.X), stream.y.tolist(), said)
    return said
