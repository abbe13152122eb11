"""What `kernelpick data` prints."""

import io

from rich.console import Console

from kernelpick.lab.datasets import listing


def test_what_is_here_and_where_the_rest_would_come_from(home, tmp_path, capsys):
    folder = tmp_path / "data [bold]"
    folder.mkdir()
    (folder / "a9a").write_bytes(b"")
    listing.show(folder)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 9
    assert lines[1].split("  ")[0] == "a9a" and "32,561 x 123" in lines[1] and str(folder / "a9a") in lines[1]
    address = "https://archive.ics.uci.edu/static/public/279/susy.zip (about 922 MB)"
    assert f"missing: would be downloaded from {address}" in lines[4] and "20,000 x 18" in lines[4]


def test_a_narrow_terminal_folds_addresses_but_loses_nothing(home, tmp_path):
    out = io.StringIO()
    listing.show(tmp_path, Console(file=out, width=80))
    lines = out.getvalue().splitlines()
    folded = "".join(line[lines[0].index("file") :].strip() for line in lines)
    assert "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary/phishing" in folded
    assert "…" not in folded and max(map(len, lines)) <= 80
