"""A page in a real browser without a window, where Chromium is installed: what its reader would see."""

import json
import re
import shutil
import subprocess
from html import unescape

import pytest

PROGRAM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
WIDTHS = (400, 1400)  # of a telephone, and of a screen

# A frame of a given width around the page, and what is measured in it. A chart has marks where something is drawn that
# takes room.
FRAME = """<!DOCTYPE html><meta charset="utf-8"><body><iframe id="page" src="{name}" width="{width}" height="900"
style="border:0"></iframe><pre id="told"></pre><script>
page.onload = () => {{
  const inside = page.contentDocument, root = inside.documentElement;
  const charts = [...inside.querySelectorAll("svg[aria-label]")].map(chart => [...chart.querySelectorAll(
    "path, circle, rect")].filter(mark => {{ const box = mark.getBBox(); return box.width + box.height > 0; }}).length);
  const small = [...inside.querySelectorAll("p, td, th, li, figcaption")].filter(
    one => parseFloat(inside.defaultView.getComputedStyle(one).fontSize) < 12).length;
  const overflow = root.scrollWidth - root.clientWidth;
  told.textContent = JSON.stringify({{title: inside.title, overflow, charts, small}});
}};
</script>"""


def look(path, width):
    """What the page at a path is like in a window of that width; fails where the console tells of an error."""
    frame = path.with_name(f"frame{width}.html")
    frame.write_text(FRAME.format(name=path.name, width=width), encoding="utf-8")
    options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]
    options += ["--allow-file-access-from-files", "--enable-logging=stderr", "--virtual-time-budget=5000", "--dump-dom"]
    options += [f"--user-data-dir={path.parent / 'profile'}", "--proxy-server=127.0.0.1:9", "--no-first-run"]
    done = subprocess.run([PROGRAM, *options, frame.as_uri()], capture_output=True, text=True, timeout=120)
    console = [line for line in done.stderr.splitlines() if ":CONSOLE" in line]
    assert console == []
    return json.loads(unescape(re.search(r'<pre id="told">(.*?)</pre>', done.stdout, re.DOTALL)[1]))


def assert_readable(page, folder):
    """It opens offline, every chart has marks, and nothing is cut off or too small at any width."""
    if PROGRAM is None:
        pytest.skip("there is no Chromium here")
    path = folder / "page.html"
    path.write_text(page, encoding="utf-8")
    for width in WIDTHS:
        told = look(path, width)
        assert told["title"].startswith("kernelpick")
        assert told["charts"] and min(told["charts"]) > 0
        assert told["overflow"] <= 0 and told["small"] == 0
