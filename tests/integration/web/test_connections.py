"""Connections that only wait, against a service in a process of its own: others are answered all the same."""

from __future__ import annotations

import http.client
import multiprocessing
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from multiprocessing.connection import Connection

import pytest

from auditor.config import Settings
from auditor.policy import Policy
from auditor.store.opening import open_store
from auditor.web.connections import CarefulProtocol
from auditor.web.serving import Address, serve

pytestmark = pytest.mark.neo4j

IDLE = 520
PATIENCE = 2.0


def _serve(settings: Settings, patience: float, told: Connection) -> None:
    CarefulProtocol.patience = patience
    with open_store(settings) as store:
        serve(store, Policy(), settings, Address(port=0), ready=told.send)


def _served(settings: Settings, patience: float) -> Iterator[int]:
    ready, told = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=_serve, args=(settings, patience, told))
    process.start()
    try:
        assert ready.poll(60)
        port = ready.recv()
        assert port > 0
        assert _status(port) == 200
        yield port
    finally:
        process.kill()
        process.join()


@pytest.fixture
def port(neo4j_settings: Settings) -> Iterator[int]:
    """A service that waits for long: room must be made."""
    yield from _served(neo4j_settings, 600.0)


@pytest.fixture
def impatient(neo4j_settings: Settings) -> Iterator[int]:
    """A service that does not wait for long."""
    yield from _served(neo4j_settings, PATIENCE)


def _status(port: int) -> int:
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        line.request("GET", "/healthz")
        return line.getresponse().status
    finally:
        line.close()


def _closed(line: socket.socket) -> bool:
    """Whether the other side closes a connection, within a minute."""
    line.settimeout(60)
    with suppress(ConnectionError):
        while line.recv(1 << 16):
            continue
    return True


def test_many_that_only_wait_keep_nobody_out(port: int) -> None:
    with ExitStack() as lines:
        for number in range(IDLE):
            line = lines.enter_context(socket.create_connection(("127.0.0.1", port), 30))
            if number % 2:
                # the head of a request, which never ends
                line.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ")
        assert [_status(port) for _ in range(5)] == [200] * 5


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ",
        b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /",
        b"POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        b"Content-Length: 1000\r\n\r\ntoken=",
    ],
    ids=["nothing", "head", "second head", "body"],
)
def test_what_never_ends_is_ended(impatient: int, sent: bytes) -> None:
    with socket.create_connection(("127.0.0.1", impatient), 30) as line:
        line.sendall(sent)
        assert _closed(line)


def test_a_letter_now_and_then_is_not_enough(impatient: int) -> None:
    with socket.create_connection(("127.0.0.1", impatient), 30) as line:
        line.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ")
        until = time.monotonic() + 60
        with suppress(OSError):
            while time.monotonic() < until:
                line.sendall(b"x")
                time.sleep(0.1)
            pytest.fail("the connection stays open")


def test_a_request_after_another_on_one_connection_is_answered(impatient: int) -> None:
    line = http.client.HTTPConnection("127.0.0.1", impatient, timeout=30)
    for _ in range(3):
        line.request("GET", "/healthz")
        answer = line.getresponse()
        assert (answer.status, answer.read()) == (200, b"ok\n")
    line.close()
