"""Webhooks: signatures that others can check, and what a receiver may do without harm."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import re
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from auditor.core.errors import BadInput
from auditor.notifications.failure import NotSent
from auditor.notifications.signature import parse_keys, sign
from auditor.notifications.webhook import send_webhook
from tests.support.receivers import WebServer, web_server, write_certificate

KEY = "whsec_" + base64.b64encode(bytes(range(24))).decode()
BODY = '{"text":"Größe"}'.encode()


def hmac_sha256(key: bytes, content: bytes) -> bytes:
    """HMAC as RFC 2104 writes it down, without the module that the program uses."""
    padded = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in padded) + content).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in padded) + inner).digest()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_certificate(tmp_path_factory.mktemp("tls"))


@pytest.fixture
def receiver(certificate: Path) -> Iterator[WebServer]:
    with web_server(certificate) as server:
        yield server


def post(receiver: WebServer, certificate: Path, path: str = "/hook?to=1", **options: object) -> None:
    given = {"id": "msg_1", "body": BODY, "timestamp": 1674087231, "keys": KEY, "allow_private": ("localhost",)}
    context = ssl.create_default_context(cafile=str(certificate))
    address = f"https://localhost:{receiver.port}{path}"
    send_webhook(address, **{"context": context, **given, **options})  # type: ignore[arg-type]


def test_the_receiver_can_check_who_sent_it(receiver: WebServer, certificate: Path) -> None:
    post(receiver, certificate)
    (request,) = receiver.requests
    assert (request.path, request.body) == ("/hook?to=1", BODY)
    headers = request.headers
    assert (headers["webhook-id"], headers["webhook-timestamp"]) == ("msg_1", "1674087231")
    assert (headers["host"], headers["content-type"]) == (f"localhost:{receiver.port}", "application/json")
    content = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + request.body
    expected = base64.b64encode(hmac_sha256(bytes(range(24)), content)).decode()
    assert headers["webhook-signature"] == f"v1,{expected}"


def test_a_known_vector() -> None:
    # printf 'msg_1.1674087231.{}' | openssl dgst -sha256 -mac HMAC -macopt key:kkk… (24 times k) -binary | base64
    assert sign("msg_1", 1674087231, b"{}", [b"k" * 24]) == "v1,G1doHG0ujFtlhHA+ZGJu/UzP6aXfo87GDP2VtWSggoI="


def test_the_check_in_the_docs_takes_what_is_genuine_and_nothing_else() -> None:
    page = Path(__file__).resolve().parents[4] / "docs" / "notifications.md"
    (code,) = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(code, page.name, "exec"), names)
    now = int(time.time())
    other = "whsec_" + base64.b64encode(b"o" * 24).decode()

    def headers(at: int, keys: str = KEY) -> dict[str, str]:
        signature = sign("m", at, BODY, parse_keys(keys))
        return {"webhook-id": "m", "webhook-timestamp": str(at), "webhook-signature": signature}

    assert names["is_genuine"](headers(now), BODY, KEY)
    assert names["is_genuine"](headers(now, f"{other} {KEY}"), BODY, KEY)
    assert not names["is_genuine"](headers(now, other), BODY, KEY)
    assert not names["is_genuine"](headers(now), BODY + b" ", KEY)
    assert not names["is_genuine"](headers(now - 3600), BODY, KEY)


def test_a_new_key_and_the_old_one_sign_both_while_they_are_exchanged() -> None:
    old = "whsec_" + base64.b64encode(b"o" * 24).decode()
    both = sign("m", 1, b"{}", parse_keys(f"{KEY} {old}")).split(" ")
    assert both == [sign("m", 1, b"{}", parse_keys(KEY)), sign("m", 1, b"{}", parse_keys(old))]


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "swordfish", "whsec_swordfish!", KEY.removeprefix("whsec_"), "whsec_c2hvcnQ=", KEY + " x", "whsec_ä",
        "whsec_" + base64.b64encode(b"l" * 65).decode(),
    ],
)  # fmt: skip
def test_a_bad_key_is_not_quoted(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_keys(text)
    assert not text.strip() or text not in str(caught.value)
    assert "swordfish" not in str(caught.value)


@pytest.mark.parametrize(("status", "final"), [(302, False), (307, False), (400, False), (410, True), (500, False)])
def test_whatever_is_not_2xx_is_a_failure_and_redirects_are_not_followed(
    receiver: WebServer, certificate: Path, status: int, final: bool
) -> None:
    receiver.status, receiver.answer = status, {"Location": f"https://localhost:{receiver.port}/elsewhere"}
    with pytest.raises(NotSent, match=str(status)) as caught:
        post(receiver, certificate)
    assert caught.value.final == final
    assert len(receiver.requests) == 1


@pytest.mark.parametrize(
    ("text", "wait"),
    [("120", timedelta(minutes=2)), ("9999999", timedelta(days=1)), ("soon", None), ("-5", None), ("²", None)],
)
def test_a_receiver_may_ask_to_be_left_alone(
    receiver: WebServer, certificate: Path, text: str, wait: timedelta | None
) -> None:
    receiver.status, receiver.answer = 429, {"Retry-After": text}
    with pytest.raises(NotSent) as caught:
        post(receiver, certificate)
    assert caught.value.wait == wait


@pytest.mark.parametrize(
    "address",
    [
        "http://example.org/", "ftp://example.org/", "https://", "https:///x", "https://a b/", "https://example.org:x/",
        "https://example.org/\r\nX: 1", "https://exämple.org/", "https://user:swordfish@example.org/", "//example.org/",
        "https://example.org/#part", "file:///etc/passwd", "https://[::1", "",
    ],
)  # fmt: skip
def test_other_addresses_are_refused_before_anything_is_looked_up(address: str) -> None:
    def never(host: str, port: int) -> list[str]:
        raise AssertionError("looked up")

    with pytest.raises(NotSent) as caught:
        send_webhook(address, id="m", body=b"{}", timestamp=1, keys=KEY, resolve=never)
    assert "swordfish" not in str(caught.value)


def test_without_tls_only_hosts_that_are_named() -> None:
    with web_server() as server:
        address = f"http://127.0.0.1:{server.port}/"
        send_webhook(address, id="m", body=b"{}", timestamp=1, keys=KEY, allow_private=("127.0.0.1",))
        assert len(server.requests) == 1
        with pytest.raises(NotSent, match="https"):
            send_webhook(address, id="m", body=b"{}", timestamp=1, keys=KEY)


def test_a_private_host_is_called_only_if_it_is_named(receiver: WebServer, certificate: Path) -> None:
    with pytest.raises(NotSent, match="private address"):
        post(receiver, certificate, allow_private=("other.example",))
    assert receiver.requests == []


@pytest.mark.parametrize("answer", [b"", b"SSH-2.0-OpenSSH\r\n", b"HTTP/1.1 200 " + b"x" * 70_000])
def test_what_is_no_answer_is_a_failure(answer: bytes) -> None:
    with Speaking(lambda peer: peer.sendall(answer)) as port, pytest.raises(NotSent):
        send_webhook(
            f"http://127.0.0.1:{port}/", id="m", body=b"{}", timestamp=1, keys=KEY, allow_private=("127.0.0.1",)
        )


def test_an_endless_answer_is_not_read() -> None:
    def flood(peer: socket.socket) -> None:
        peer.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        with contextlib.suppress(OSError):
            while True:
                peer.sendall(b"x" * 65536)

    with Speaking(flood) as port:
        send_webhook(
            f"http://127.0.0.1:{port}/", id="m", body=b"{}", timestamp=1, keys=KEY, allow_private=("127.0.0.1",)
        )


def test_a_receiver_that_drips_cannot_hold_a_sender_beyond_its_time() -> None:
    over = threading.Event()

    def drip(peer: socket.socket) -> None:
        peer.sendall(b"HTTP/1.1 200 OK\r\nX: ")
        while not over.wait(0.02):
            try:
                peer.sendall(b"x")
            except OSError:
                return

    with Speaking(drip) as port:
        began = time.monotonic()
        with pytest.raises(NotSent, match="in time"):
            send_webhook(
                f"http://127.0.0.1:{port}/",
                id="m",
                body=b"{}",
                timestamp=1,
                keys=KEY,
                allow_private=("127.0.0.1",),
                seconds=0.3,
            )
        # without the limit on the whole it would go on for ever
        assert time.monotonic() - began < 30
        over.set()


class Speaking:
    """A server that reads a request and then does something of its own."""

    def __init__(self, act: object) -> None:
        self._act = act

    def __enter__(self) -> int:
        self._server = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        return int(self._server.getsockname()[1])

    def __exit__(self, *_: object) -> None:
        self._thread.join(30)
        self._server.close()

    def _serve(self) -> None:
        peer, _ = self._server.accept()
        with peer:
            peer.recv(65536)
            self._act(peer)  # type: ignore[operator]
