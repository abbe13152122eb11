"""A stream that is too large for one machine: shards on a Dask cluster, merged into one model."""

from kernelpick.dask.fitting import fit

__all__ = ["fit"]
