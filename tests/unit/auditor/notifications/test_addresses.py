"""Where no request goes: every form in which an address of the own network can be written."""

from __future__ import annotations

import socket
import ssl
from pathlib import Path

import pytest

from auditor.notifications.addresses import is_public
from auditor.notifications.connecting import connected, look_up
from auditor.notifications.failure import NotSent
from tests.support.receivers import web_server

PUBLIC = [
    "8.8.8.8",
    "1.1.1.1",
    "100.63.255.255",
    "172.32.0.1",
    "192.0.1.1",
    "2001:4860:4860::8888",
    "2a00:1450:4001::5e",
]
SPECIAL = [
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.255.255.254", "169.254.169.254", "172.16.0.1",
    "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1", "198.51.100.7",
    "203.0.113.9", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255",
    "::", "::1", "::10.0.0.1", "::ffff:10.0.0.1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "64:ff9b::10.0.0.1",
    "64:ff9b::8.8.8.8", "64:ff9b:1::10.0.0.1", "100::1", "2001::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "2001:db8::1", "2002:7f00:1::", "2002:a00:1::1", "3fff::1", "5f00::1", "fc00::1", "fd12:3456::1", "fe80::1",
    "fe80::1%eth0", "fec0::1", "ff02::1", "ff0e::1",
]  # fmt: skip


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_may_be_called(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("address", SPECIAL)
def test_special_addresses_may_not(address: str) -> None:
    assert not is_public(address)


# what the system's look-up makes of them is an address of this machine
@pytest.mark.parametrize("host", ["127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "localhost", "::1"])
def test_forms_of_this_machine_are_refused_whatever_they_look_like(host: str) -> None:
    if host == "::1" and not socket.has_ipv6:
        pytest.skip("no IPv6 here")
    with (
        pytest.raises(NotSent, match="private address"),
        connected(host, 9, secure=False, allow_private=False, seconds=5),
    ):
        pass


def test_one_private_address_among_public_ones_is_enough_to_refuse() -> None:
    def resolve(host: str, port: int) -> list[str]:
        return ["8.8.8.8", "10.0.0.1"]

    with (
        pytest.raises(NotSent, match="allow_private"),
        connected("example.org", 443, secure=True, allow_private=False, seconds=5, resolve=resolve),
    ):
        pass


def test_a_name_is_looked_up_once_and_the_checked_address_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name server that answers with a public address first and a private one then gains nothing."""
    answers = [["8.8.8.8"], ["127.0.0.1"]]
    called: list[tuple[str, int]] = []

    def connect(address: tuple[str, int], timeout: float) -> socket.socket:
        called.append(address)
        raise ConnectionRefusedError(111, "refused")

    monkeypatch.setattr(socket, "create_connection", connect)
    with (
        pytest.raises(NotSent, match=r"no connection \(Connection refused\)"),
        connected(
            "rebinding.example",
            443,
            secure=True,
            allow_private=False,
            seconds=5,
            resolve=lambda host, port: answers.pop(0),
        ),
    ):
        pass
    assert (called, answers) == ([("8.8.8.8", 443)], [["127.0.0.1"]])


def test_the_next_address_is_tried_where_one_does_not_answer() -> None:
    with web_server() as server, connected(
        "receiver.example", server.port, secure=False, allow_private=True, seconds=5,
        resolve=lambda host, port: ["127.0.0.2", "127.0.0.1"],
    ) as peer:  # fmt: skip
        assert peer.limited().getpeername()[0] == "127.0.0.1"


def test_a_name_that_nobody_knows() -> None:
    def unknown(host: str, port: int) -> list[str]:
        raise socket.gaierror(socket.EAI_NONAME, "unknown secret-host")

    for resolve in (unknown, lambda host, port: []):
        with (
            pytest.raises(NotSent) as caught,
            connected("secret-host.example", 443, secure=True, allow_private=False, seconds=5, resolve=resolve),
        ):
            pass
        assert "secret-host" not in str(caught.value)


def test_the_look_up_of_this_machine_gives_each_address_once() -> None:
    found = look_up("localhost", 443)
    assert found
    assert len(set(found)) == len(found)


def test_nobody_is_called_without_a_certificate_that_is_theirs(tmp_path: Path) -> None:
    from tests.support.receivers import write_certificate

    certificate = write_certificate(tmp_path, "other.example")
    context = ssl.create_default_context(cafile=str(certificate))
    with (
        web_server(certificate) as server,
        pytest.raises(NotSent, match="certificate") as caught,
        connected("localhost", server.port, secure=True, allow_private=True, seconds=5, context=context),
    ):
        pass
    assert "localhost" not in str(caught.value)
