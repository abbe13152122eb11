"""One model per key: thousands of small streams in one process."""

from kernelpick.keyed.models import KeyedModels

__all__ = ["KeyedModels"]
