"""A small dataset, and a server for it on the loopback address."""

import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from kernelpick.lab.datasets.registry import Registered

ROWS = 200
CONTENT = "".join(f"{i},{(i * 37) % 100},{'gh'[i % 2]}\n" for i in range(ROWS)).encode()


@pytest.fixture
def content():
    return CONTENT


@pytest.fixture
def entry():
    return Registered(
        "small", "classification", ROWS, 2, ("small.data", "little.data"), "csv", "http://127.0.0.1/home",
        "http://127.0.0.1/never", len(CONTENT) / 1e6, target=-1, labels={"g": 1.0, "h": -1.0},
        inputs=(0.0, 199.0), positives=100,
    )  # fmt: skip


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A user with an empty cache and no data folder; gives the cache folder."""
    for name in ("HOME", "USERPROFILE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    monkeypatch.delenv("KERNELPICK_DATA", raising=False)
    from kernelpick.lab.datasets.fetch import cache_folder

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
