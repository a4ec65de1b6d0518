"""Requests to an application without a client in between, so that a test sees what is read of their bodies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from fastapi import FastAPI
from starlette.types import Message, Scope

from tests.support.event_loops import run_aside

__all__ = ["PIECE", "multipart", "raw_request"]

PIECE = 1 << 16


def raw_request(
    app: FastAPI, method: str, path: str, headers: Mapping[str, str], body: Iterable[bytes]
) -> tuple[int, int]:
    """Return the status of an answer, and how many bytes of the body were read for it."""
    pieces, read, status = iter(body), 0, 0
    scope: Scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": b"",
        "headers": [(b"host", b"testserver"), *((k.lower().encode(), v.encode()) for k, v in headers.items())],
        "client": ("127.0.0.1", 1),
        "server": ("testserver", 80),
        "state": {},
    }

    async def receive() -> Message:
        nonlocal read
        piece = next(pieces, None)
        read += len(piece or b"")
        return {"type": "http.request", "body": piece or b"", "more_body": piece is not None}

    async def send(message: Message) -> None:
        nonlocal status
        if message["type"] == "http.response.start":
            status = message["status"]

    async def served() -> None:
        await app(scope, receive, send)

    run_aside(served())
    return status, read


def multipart(name: str, size: int) -> Iterator[bytes]:
    """Yield a form with a file of zeros, piece by piece; its boundary is ``x``."""
    yield b'--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nt\r\n--x\r\n'
    yield f'Content-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode()
    for _ in range(size // PIECE):
        yield b"0" * PIECE
    yield b"\r\n--x--\r\n"
