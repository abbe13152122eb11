"""What the process takes of the machine's memory."""

import contextlib
import sys


def megabytes() -> float:
    """Now, where the system tells; else the most that it was."""
    with contextlib.suppress(OSError, ValueError, IndexError), open("/proc/self/statm", encoding="ascii") as file:
        import resource

        return int(file.read().split()[1]) * resource.getpagesize() / 2**20
    try:
        import resource
    except ImportError:  # Windows
        return float("nan")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
