"""The table of datasets."""

import pytest

from kernelpick.lab.datasets.registry import REGISTRY, lookup


def test_eight_datasets_each_with_a_home():
    assert list(REGISTRY) == ["a9a", "phishing", "magic04", "SUSY", "bank", "elevators", "ailerons", "Hardware"]
    for entry in REGISTRY.values():
        assert entry.url.startswith("https://") and entry.home.startswith("https://")
        assert (entry.task == "classification") == (entry.labels is not None)
        assert not any(name.endswith(".gz") for name in entry.files)
        assert entry.labels is None or sorted(entry.labels.values()) == [-1.0, 1.0]


def test_only_a9a_and_phishing_are_used_as_shipped():
    assert [entry.name for entry in REGISTRY.values() if not entry.scaled] == ["a9a", "phishing"]


@pytest.mark.parametrize(("name", "meant"), [("susy", "SUSY"), ("elevator", "elevators"), ("hardwear", "Hardware")])
def test_a_wrong_name_gets_the_nearest(name, meant):
    with pytest.raises(ValueError, match=rf"There is no dataset '{name}'\. Did you mean '{meant}'\?"):
        lookup(name)


def test_a_name_near_to_none_gets_the_list():
    with pytest.raises(ValueError, match=r"There is no dataset 'xyzzy'\. The datasets are a9a, phishing"):
        lookup("xyzzy")
