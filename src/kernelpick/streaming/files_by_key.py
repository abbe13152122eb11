"""The file of a run with --key: models by key, and where the run is as their mark. `KeyedModels(path=...)` reads it."""

from pathlib import Path
from typing import Any

from kernelpick.keyed import KeyedModels
from kernelpick.keyed.store import Store, move
from kernelpick.streaming import checkpoint
from kernelpick.streaming.checkpoint import Position

POSITION, LEARNED = "run", "learned"


def mark_of(position: Position, learned: int) -> dict[str, Any]:
    return {POSITION: checkpoint.packed(position), LEARNED: learned}


def learned(mark: Any) -> int:
    """Rows that the models have learned."""
    count = mark.get(LEARNED) if isinstance(mark, dict) else None
    return count if isinstance(count, int) and count >= 0 else 0


def position_in(models: KeyedModels, path: Any) -> Position:
    """Where the run is that made the file; refused if none has."""
    mark = models.mark
    position = checkpoint.unpacked(mark.get(POSITION)) if isinstance(mark, dict) else None
    if position is None or position.key is None:
        raise ValueError(f"{path} holds models by key that no run has made: kernelpick.KeyedModels(path=...) has them.")
    return position


def read(path: Path) -> tuple[None, Position]:
    """Where the run is that made a file."""
    with KeyedModels(path=path, reads_only=True) as models:
        return None, position_in(models, path)


def opened(options: Any) -> KeyedModels:
    """To go on."""
    return KeyedModels(path=options.model, capacity=options.capacity)


def begun(options: Any, position: Position, estimator: Any, prior: Any) -> KeyedModels:
    """A new file in place of what was there, whole from the first moment; or, without --model, a temporary one.

    It begins without models, or with those of another such file.
    """
    if options.model is None:
        if options.base is not None and prior is None:
            raise ValueError("--from with models by key needs a file for what becomes of them: --model FILE.")
        return KeyedModels(estimator, options.capacity, prior=prior)
    path = Path(options.model)
    beside = path.with_name(f".{path.name}.begun")
    if options.base is not None and prior is None:
        store = Store(Path(options.base), reads_only=True)
        store.copy_to(beside)
        store.close()
    else:
        beside.unlink(missing_ok=True)
        KeyedModels(estimator, path=beside, prior=prior).close()
    store = Store(beside)
    store.flush((), mark_of(position, position.before))
    store.close()
    move(beside, path)
    return opened(options)


def finish(path: Path, mark: dict[str, Any]) -> None:
    """The file anew, with a last mark, so that its bytes follow from the models and the mark alone."""
    beside = path.with_name(f".{path.name}.finished")
    store = Store(path, reads_only=True)
    store.copy_to(beside)
    store.close()
    store = Store(beside)
    store.flush((), mark)
    store.close()
    move(beside, path)
