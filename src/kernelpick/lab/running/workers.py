"""Work done by worker processes here or on a cluster, through joblib."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple, TypeVar

from kernelpick.lab.running.plugins import load_plugins

T = TypeVar("T")
R = TypeVar("R")

PATIENCE = 10  # seconds that a scheduler may take to answer


class Workers(NamedTuple):
    """Who computes: `jobs` processes of this machine, or the cluster at an address."""

    jobs: int
    cluster: str | None = None
    plugins: tuple[str, ...] = ()
    """Files that each of them imports before it works."""

    @classmethod
    def of(cls, jobs: int | None, cluster: str | None, plugins: tuple[str, ...]) -> Workers:
        """With all cores where nothing is said."""
        import joblib

        return cls(joblib.cpu_count() if jobs is None else jobs, cluster, plugins)


def spread(work: Callable[[T], R], tasks: Sequence[T], workers: Workers) -> Iterator[R]:
    """What the work makes of each task, in the order in which they end."""
    from joblib import Parallel, delayed
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    with _backend(workers) as jobs:
        # One task a message: the shortest takes many times what sending it does, and an interruption loses less.
        parallel = Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)
        try:
            yield from parallel(delayed(_shielded)(work, task, os.getpid(), workers.plugins) for task in tasks)
        except TerminatedWorkerError as problem:
            raise ValueError(
                "A worker process was killed, perhaps for want of memory; what is done is kept, "
                "so start again, with a smaller --jobs if it happens again."
            ) from problem


def _shielded(work: Callable[[T], R], task: T, parent: int, plugins: tuple[str, ...]) -> R:
    if os.getpid() != parent and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which then ends its workers
    load_plugins(plugins)
    return work(task)


@contextmanager
def _backend(workers: Workers) -> Iterator[int]:
    """Make joblib use these workers; gives the number to ask it for."""
    if workers.cluster is None:
        yield workers.jobs
        return
    from joblib import parallel_config

    with client_of(workers.cluster) as client, parallel_config(backend="dask", client=client):
        yield -1


@contextmanager
def client_of(address: str) -> Iterator[object]:
    """The cluster at an address, if there is one that can work."""
    try:
        from distributed import Client
    except ImportError as problem:
        raise ValueError('--cluster needs Dask: install it with pip install "kernelpick[cluster]".') from problem
    try:
        client = Client(address, timeout=PATIENCE)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as problem:
        raise ValueError(
            f"There is no Dask scheduler at {address!r}: start one with dask scheduler, or leave --cluster out."
        ) from problem
    with client:
        if not client.scheduler_info()["workers"]:
            raise ValueError(
                f"The Dask scheduler at {address!r} has no workers: start some with dask worker {address}."
            )
        yield client
