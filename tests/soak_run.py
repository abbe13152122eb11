"""Kill a run at random moments, again and again, and let it go on; what it leaves must be that of one that was not.

Every process is a fork of this one, which has compiled what it needs: so a kill comes while rows are read, learned and
written, and not while Python starts.

    python tests/soak_run.py --kills 1000
"""

import argparse
import os
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

import kernelpick
from kernelpick import cli
from kernelpick.keyed.store import is_store
from kernelpick.streaming.files_by_key import read

CASES = {
    "numbers": ["--target", "price", "--algorithm", "rf-oks++", "--features", "20"],
    "classes": ["--target", "kind", "--algorithm", "rf-oks++", "--features", "20", "--drop", "price"],
    "keys": ["--target", "price", "--key", "day", "--size", "tiny", "--capacity", "8"],
}
SLOWEST = 100  # attempts for each kill, before it is said that the run does not come to its end


def write_stream(path: Path, rows: int, seed: int = 0) -> None:
    """Numbers, texts, blanks, times, and now and then a row that can't be read."""
    rng = random.Random(seed)
    with path.open("w", encoding="utf-8") as file:
        file.write("id,city,when,size,price,kind,day\n")
        for row in range(rows):
            size, city = rng.gauss(50, 10), rng.choice(["Bonn", "Kiel", '"Ulm, Donau"', ""])
            price = 3 * size + 20 * (city == "Kiel") + rng.gauss(0, 3)
            kind = rng.choice(["small", "large"]) if rng.random() < 0.1 else "small" if size < 50 else "large"
            when = f"2024-{row // 2000 % 12 + 1:02}-{row // 100 % 20 + 1:02} {row % 24:02}:00"
            cells = [f"e{row}", city, when, f"{size:.3f}" if row % 17 else "", f"{price:.2f}" if row % 29 else "", kind]
            cells.append(f"{row // 7 % 31}" if row % 301 else "")
            file.write(",".join(cells[:4] if row % 501 == 500 else cells) + "\n")


def command(folder: Path, source: Path, case: str) -> list[str]:
    files = ["--model", folder / "m.kpick", "--predictions", folder / "p.csv", "--rejects", folder / "r.csv"]
    how = ["--on-error", "skip", "--quiet", "--resume", "--checkpoint-every", "1000"]
    return ["run", *map(str, (source, *files)), *how, *CASES[case]]


def forked(arguments: list[str]) -> int:
    """The id of a process that runs a command, and ends with its exit code."""
    child = os.fork()
    if child == 0:
        code = 70
        try:
            code = cli.main(arguments)
        finally:
            os._exit(code)
    return child


def killed(arguments: list[str], after: float) -> int | None:
    """The exit code of a run, or None if it was killed before its end."""
    child = forked(arguments)
    time.sleep(after)
    os.kill(child, signal.SIGKILL)
    status = os.waitpid(child, 0)[1]
    return None if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def contents(folder: Path) -> dict[str, bytes]:
    """All that a run has left but for the checkpoint before the last one."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.name != "m.kpick.previous"}


def learned(folder: Path) -> int:
    """Rows up to the checkpoint, which is whole whenever it is looked at."""
    path = folder / "m.kpick"
    if is_store(path):
        return read(path)[1].records
    return kernelpick.load(path).metadata["run"]["records"] if path.exists() else 0


def one_case(case: str, kills: int, rows: int, folder: Path, rng: random.Random) -> int:
    """How many kills came before the end, at least as many as asked for; an AssertionError if bytes differ."""
    source, alone, again = folder / f"{case}.csv", folder / f"{case}-alone", folder / f"{case}-again"
    write_stream(source, rows)
    alone.mkdir()
    assert cli.main(command(alone, source, case)) == 0
    expected, done, life = contents(alone), 0, 0.2
    assert cli.main(command(alone, source, case)) == 0 and contents(alone) == expected  # it is finished
    again.mkdir()
    while done < kills:
        for path in again.iterdir():
            path.unlink()
        for _ in range(SLOWEST * kills):
            before = learned(again)
            code = killed(command(again, source, case), life * rng.random())
            if code is not None:
                assert code == 0, f"{case}: exit code {code}"
                break
            done += 1
            # So long that a life has its share of the rows, however busy the machine is.
            life *= 0.9 if learned(again) > before else 1.1
        else:
            raise AssertionError(f"{case}: does not come to its end")
        assert contents(again) == expected, f"{case}: {done} kills have left other files"
    return done


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--cases", nargs="*", default=list(CASES))
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        for case in options.cases:
            done = one_case(case, options.kills, options.rows, Path(folder), rng)
            print(f"{case}: {done} kills in runs of {options.rows:,} rows, the same bytes", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
