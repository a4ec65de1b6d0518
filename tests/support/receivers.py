"""Receivers of messages on this machine: a web server and a mail server, each in a thread, with a certificate."""

from __future__ import annotations

import datetime
import http.server
import socketserver
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

__all__ = ["MailServer", "Request", "WebServer", "mail_server", "server_context", "web_server", "write_certificate"]


@dataclass(frozen=True)
class Request:
    """A request as it arrived."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class WebServer:
    """What a web server was sent, and what it answers."""

    port: int = 0
    status: int = 204
    answer: dict[str, str] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)


@dataclass
class MailServer:
    """What a mail server was sent, and what it answers to a recipient."""

    port: int = 0
    recipient_code: int = 250
    offers_tls: bool = True
    logins: list[str] = field(default_factory=list)
    mails: list[str] = field(default_factory=list)
    clear: list[str] = field(default_factory=list)
    """Commands that came before TLS."""


def write_certificate(folder: Path, host: str = "localhost") -> Path:
    """Write key and certificate of a host, signed by itself, into one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    now = datetime.datetime.now(datetime.UTC)
    alternative: x509.GeneralName = x509.DNSName(host)
    if host[0].isdigit():
        alternative = x509.IPAddress(ip_address(host))
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([alternative]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / f"{host}.pem"
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path.write_bytes(pem + certificate.public_bytes(serialization.Encoding.PEM))
    return path


def server_context(certificate: Path) -> ssl.SSLContext:
    """Return what a server with that certificate speaks TLS with."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    return context


@contextmanager
def web_server(certificate: Path | None = None) -> Iterator[WebServer]:
    """Run a web server that keeps what it is sent."""
    state = WebServer()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            state.requests.append(Request(self.path, {k.lower(): v for k, v in self.headers.items()}, body))
            self.send_response(state.status)
            for name, value in state.answer.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, format: str, *values: Any) -> None:
            """Say nothing."""

    server = _Quiet(("127.0.0.1", 0), Handler)
    if certificate is not None:
        server.socket = server_context(certificate).wrap_socket(server.socket, server_side=True)
    with _running(server):
        state.port = server.server_address[1]
        yield state


@contextmanager
def mail_server(certificate: Path, *, implicit: bool = False) -> Iterator[MailServer]:
    """Run a mail server that keeps what it is sent: with STARTTLS, or `implicit` TLS from the first byte."""
    state, context = MailServer(), server_context(certificate)

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            peer, secure = self.request, implicit
            if implicit:
                peer = context.wrap_socket(peer, server_side=True)
            stream = peer.makefile("rwb")
            _say(stream, "220 here")
            while line := stream.readline().decode("ascii").strip():
                word = line.split()[0].upper()
                if not secure:
                    state.clear.append(word)
                if word == "STARTTLS":
                    _say(stream, "220 go on")
                    peer, secure = context.wrap_socket(peer, server_side=True), True
                    stream = peer.makefile("rwb")
                elif word == "EHLO":
                    more = ["AUTH PLAIN"] if secure else ["STARTTLS"] if state.offers_tls else []
                    _say(stream, "250-here", *(f"250-{text}" for text in more), "250 HELP")
                elif word == "AUTH":
                    state.logins.append(line.split()[2])
                    _say(stream, "235 welcome")
                elif word == "RCPT":
                    _say(stream, f"{state.recipient_code} {line}")
                elif word == "DATA":
                    _say(stream, "354 go on")
                    lines = []
                    while (text := stream.readline().decode("utf-8")) != ".\r\n":
                        lines.append(text)
                    state.mails.append("".join(lines))
                    _say(stream, "250 taken")
                elif word == "QUIT":
                    _say(stream, "221 bye")
                    return
                else:
                    _say(stream, "250 done")

    with _running(_Quiet(("127.0.0.1", 0), Handler)) as server:
        state.port = server.server_address[1]
        yield state


class _Quiet(socketserver.ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is no news."""


@contextmanager
def _running(server: _Quiet) -> Iterator[_Quiet]:
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _say(stream: Any, *lines: str) -> None:
    for line in lines:
        stream.write(line.encode("ascii") + b"\r\n")
    stream.flush()
