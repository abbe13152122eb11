"""What the laboratory needs beyond learning and predicting."""

from importlib.util import find_spec

MODULES = ("joblib", "pooch", "requests", "rich")


def require(command: str) -> None:
    """Refuse, in a sentence, a command whose libraries are not installed."""
    missing = [name for name in MODULES if find_spec(name) is None]
    if missing:
        raise ValueError(f'{command} needs kernelpick[lab]: pip install "kernelpick[lab]" brings {", ".join(missing)}.')
