"""A small dataset, and a server for it on the loopback address."""

import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest

from kernelpick.reproduce.cells import Cell, chosen
from kernelpick.reproduce.registry import REGISTRY, Entry
from kernelpick.reproduce.runs import Result
from kernelpick.streams import csv

ROWS = 200
CONTENT = "".join(f"{i},{(i * 37) % 100},{'gh'[i % 2]}\n" for i in range(ROWS)).encode()


@pytest.fixture
def content():
    return CONTENT


@pytest.fixture
def entry():
    return Entry(
        "small", "classification", ROWS, 2, ("small.data", "little.data"), csv, "http://127.0.0.1/home",
        "http://127.0.0.1/never", len(CONTENT) / 1e6, target=-1, labels={"g": 1.0, "h": -1.0},
        inputs=(0.0, 199.0), positives=100,
    )  # fmt: skip


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A user with an empty cache and no data folder; gives the cache folder."""
    for name in ("HOME", "USERPROFILE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    monkeypatch.delenv("KERNELPICK_DATA", raising=False)
    from kernelpick.reproduce.fetch import cache_folder

    folder = cache_folder()
    assert tmp_path in folder.parents, "the tests must not touch the real cache"
    return folder


@pytest.fixture
def serve():
    """serve(answers) starts a server; answers maps a path to (status, declared length or None, body)."""
    servers = []

    def serve(answers):
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                status, length, body = answers.get(self.path, (404, 9, b"not found"))
                self.send_response(status)
                if length is not None:
                    self.send_header("Content-Length", str(length))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                """Quiet."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_port}"

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch):
    """The loopback address is asked directly, whatever the environment says."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")


@pytest.fixture
def real():
    """real(entry) is the true file of a dataset, or a skip with the reason."""

    def real(entry):
        folder = os.environ.get("KERNELPICK_DATA")
        if not folder:
            pytest.skip("KERNELPICK_DATA is not set")
        paths = [Path(folder, name + ending) for name in entry.files for ending in ("", ".gz")]
        found = next((path for path in paths if path.is_file()), None)
        return found or pytest.skip(f"no {entry.files[0]} in the folder KERNELPICK_DATA")

    return real


@pytest.fixture(scope="session")
def made_up(tmp_path_factory):
    """A folder with a file that passes for the dataset bank: its shape and ranges, made-up numbers."""
    entry = REGISTRY["bank"]
    rng = np.random.default_rng(0)
    X = rng.uniform(*entry.inputs, (entry.rows, entry.features))
    y = 0.5 * entry.targets[1] * (1 + np.sin(X[:, 0] / 5))
    X[0, 0], X[1, 0] = entry.inputs
    y[0], y[1] = entry.targets
    names = "".join(f"@attribute a{i} numeric\n" for i in range(entry.features + 1))
    rows = "\n".join(",".join(f"{value:.6g}" for value in row) for row in np.column_stack([X, y]))
    folder = tmp_path_factory.mktemp("data")
    (folder / entry.files[0]).write_text(f"@relation bank\n{names}@data\n{rows}\n")
    return folder


@pytest.fixture
def cell():
    """cell(algorithm, mean=..., ...) is a cell of table 9 on bank, with other numbers if given."""

    def cell(algorithm, **changes) -> Cell:
        return chosen("9", "bank", algorithm)[0]._replace(**changes)

    return cell


@pytest.fixture
def result():
    """result(value) has curves for two kernels."""
    return lambda value, points=60: Result(value, 0.5, [value] * points, [[0.25, 0.75]] * points)
