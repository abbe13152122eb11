"""The orders of the rows."""

from kernelpick.lab.datasets.permutations import order


def test_permutations_are_counted():
    first = order("bank", 0, 1000)
    assert sorted(first) == list(range(1000)) and (first == order("bank", 0, 1000)).all()
    assert (first != order("bank", 1, 1000)).any() and (first != order("a9a", 0, 1000)).any()
