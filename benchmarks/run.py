"""make bench: the table of figures, each beside its bar; also written to benchmarks/results.json."""

import importlib
import json
from pathlib import Path

from peak import peak
from rich.console import Console
from rich.table import Table

SECTIONS = ("engine", "estimators", "one_row", "second_order", "precision", "keyed")


def main() -> None:
    here = Path(__file__).parent
    table = Table(title="kernelpick benchmarks (lower is better)")
    for heading in ("work", "measured", "bar", "unit", "", "of peak"):
        table.add_column(heading, justify="right" if heading in ("measured", "bar", "of peak") else "left")
    kept = []
    for section in SECTIONS:
        for line in importlib.import_module(section).rows():
            work, measured, bar, unit, reached = line
            shown = "left out" if measured is None else f"{measured:.3g}"
            mark = "no C compiler or peer here" if measured is None else ("within" if measured <= bar else "over")
            table.add_row(work, shown, f"{bar:.3g}", unit, mark, "" if reached is None else f"{100 * reached:.3g} %")
            kept.append({"section": section, **line._asdict()})
    table.caption = f"of peak: multiply-adds that the definition needs, of {peak() / 1e9:.1f} billion a second"
    (here / "results.json").write_text(json.dumps(kept, indent=1) + "\n")
    Console().print(table)


if __name__ == "__main__":
    main()
