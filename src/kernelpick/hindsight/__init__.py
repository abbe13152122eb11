"""The best hypothesis in hindsight, and a certificate of how good it is."""

from kernelpick.hindsight.best import Hindsight, best_in_hindsight

__all__ = ["Hindsight", "best_in_hindsight"]
