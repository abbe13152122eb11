"""Calibrations that are kept: a file each, in the folder of the compiled code that was measured.

That folder is named by a hash of the compiled sources, and lies in the user's cache, or in a temporary one where that
can't be written. A file that can't be read is as good as none.
"""

import contextlib
import json
import os
import platform
import tempfile
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from kernelpick.budget.costs import Costs, costs_of
from kernelpick.core.numerics.cache import folder_for, sources_hash

ROOT = Path(__file__).parents[1]
BESIDE = ("columns", "online", "river")  # rooms whose code is a part of a round, beside the compiled one


@cache
def machine() -> str:
    """A name for this machine: homes are shared between some."""
    model = ""
    with contextlib.suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
        model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    return f"{platform.node()} {platform.machine()} {model or platform.processor()} {os.cpu_count()}"


@cache
def sources() -> str:
    """A name for the code that is not compiled."""
    return sources_hash(path for room in BESIDE for path in (ROOT / room).glob("*.py"))


def folder() -> Path:
    return folder_for(__file__)


def path_for(asked: str, there: Path) -> Path:
    """The file of what was asked, on this machine and by this code."""
    name = blake2b(f"{machine()}\n{sources()}\n{asked}".encode(), digest_size=12).hexdigest()
    return there / f"budget-{name}.json"


def found(path: Path) -> Costs | None:
    try:
        return costs_of(json.loads(path.read_text(encoding="utf-8"))["costs"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def keep(path: Path, costs: Costs, about: dict[str, Any], again: bool = False) -> Costs:
    """Write it whole or not at all; of two processes that measure at once, the first is right for both."""
    with contextlib.suppress(OSError):  # nothing can be kept: it is measured again then
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, suffix=".part", delete=False) as file:
            json.dump({**about, "machine": machine(), "costs": costs.told()}, file)
        try:
            if again or (path.exists() and found(path) is None):
                os.replace(file.name, path)
            else:
                os.link(file.name, path)
        except FileExistsError:
            pass  # somebody was faster
        except OSError:  # a file system without links
            os.replace(file.name, path)
        finally:
            with contextlib.suppress(OSError):
                os.unlink(file.name)
    return costs if again else found(path) or costs
