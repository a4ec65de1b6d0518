"""A server that answers as S3 does when objects are read."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest


@dataclass
class ObjectStore:
    """Objects by bucket and key."""

    port: int
    objects: dict[str, bytes] = field(default_factory=dict)
    forbidden: set[str] = field(default_factory=set)
    """Those that may not be read."""


@contextmanager
def object_store(monkeypatch: pytest.MonkeyPatch) -> Iterator[ObjectStore]:
    """Give an empty store, to which ``s3://`` addresses lead in this process and those that it starts."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._answer(body=True)

        def do_HEAD(self) -> None:
            self._answer(body=False)

        def _answer(self, *, body: bool) -> None:
            name = self.path.partition("?")[0].removeprefix("/")
            data = held.objects.get(name)
            if data is None or name in held.forbidden:
                self.send_response(404 if data is None else 403)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            wanted = re.match(r"bytes=(\d+)-(\d*)", self.headers.get("Range") or "")
            first, last = 0, len(data) - 1
            if wanted:
                first, last = int(wanted[1]), int(wanted[2] or last)
            self.send_response(206 if wanted else 200)
            if wanted:
                self.send_header("Content-Range", f"bytes {first}-{last}/{len(data)}")
            self.send_header("Content-Length", str(last + 1 - first))
            self.send_header("Last-Modified", "Tue, 24 Nov 2026 00:00:00 GMT")
            self.end_headers()
            if body:
                self.wfile.write(data[first : last + 1])

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    held = ObjectStore(server.server_port)
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{held.port}")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-west-1")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "reader")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "nothing")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    serving = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    serving.start()
    try:
        yield held
    finally:
        server.shutdown()
        server.server_close()
        serving.join()
