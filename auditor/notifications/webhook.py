"""Messages to webhooks: one signed POST (Standard Webhooks), over TLS, to a public address, without redirects."""

import http.client
import socket
import ssl
from datetime import timedelta
from email.message import Message as Headers
from typing import cast
from urllib.parse import SplitResult, urlsplit

import auditor
from auditor.core.errors import BadInput
from auditor.notifications.connecting import Resolve, TimedSocket, connected, look_up
from auditor.notifications.failure import NotSent
from auditor.notifications.signature import parse_keys, sign

SECONDS = 20.0
"""A receiver that has not answered by then is asked again later."""

_LONGEST_WAIT = timedelta(days=1)


def send_webhook(
    address: str,
    *,
    id: str,
    body: bytes,
    timestamp: int,
    keys: str,
    allow_private: tuple[str, ...] = (),
    resolve: Resolve = look_up,
    context: ssl.SSLContext | None = None,
    seconds: float = SECONDS,
) -> None:
    """Post a message; return when the receiver has taken it (status 2xx).

    Parameters
    ----------
    address : str
        URL of the webhook.
    id : str
        The same for every attempt.
    body : bytes
        JSON.
    timestamp : int
        Unix seconds now.
    keys : str
        What :func:`auditor.notifications.signature.parse_keys` understands.
    allow_private : tuple of str
        Hosts that may have private addresses, and be called without TLS.
    resolve, context : optional
        How names are looked up, and whose certificates are trusted.
    seconds : float
        For the whole conversation.

    Raises
    ------
    NotSent
        If the receiver did not take it; for good if it says 410, that it wants none any more.
    """
    url, host = _checked(address, allow_private)
    try:
        signature = sign(id, timestamp, body, parse_keys(keys))
    except BadInput as error:
        raise NotSent(f"the webhook's key cannot be used: {error}") from None
    headers = {
        "Host": url.netloc,
        "Content-Type": "application/json",
        "User-Agent": f"disclosure-auditor/{auditor.__version__}",
        "Connection": "close",
        "webhook-id": id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": signature,
    }
    path = f"{url.path or '/'}?{url.query}" if url.query else url.path or "/"
    secure = url.scheme == "https"
    port = url.port or (443 if secure else 80)
    allowed = host in allow_private
    with connected(
        host, port, secure=secure, allow_private=allowed, seconds=seconds, resolve=resolve, context=context
    ) as peer:
        status, wait = _exchange(peer, path, body, headers)
    if not 200 <= status < 300:
        where = "; redirects are not followed" if 300 <= status < 400 else ""
        raise NotSent(f"the receiver answered {status}{where}", final=status == 410, wait=wait)


def _exchange(peer: TimedSocket, path: str, body: bytes, headers: dict[str, str]) -> tuple[int, timedelta | None]:
    # with an open connection the client looks nothing up and opens nothing; its host is only a name
    connection = http.client.HTTPConnection("receiver")
    connection.sock = cast(socket.socket, peer)
    try:
        connection.request("POST", path, body, headers)
        # status and headers are all that counts: they are bounded, and not a byte of the body is read
        answer = connection.getresponse()
    except http.client.HTTPException:
        raise NotSent("the receiver's answer is no HTTP") from None
    return answer.status, _wait_of(answer.headers)


def _checked(address: str, allow_private: tuple[str, ...]) -> tuple[SplitResult, str]:
    """Return the parts of an address and its host as :data:`allow_private` has it."""
    try:
        url = urlsplit(address)
        host, _ = (url.hostname or "").rstrip("."), url.port
    except ValueError:
        raise NotSent("the webhook's address is no valid URL") from None
    # urlsplit drops line breaks; the address is taken as it is or not at all
    if not (address.isascii() and address.isprintable() and " " not in address and host):
        raise NotSent("the webhook's address is no valid URL")
    if "@" in url.netloc or url.fragment:
        raise NotSent("the webhook's address must hold no user, password or fragment")
    if url.scheme != "https" and not (url.scheme == "http" and host in allow_private):
        raise NotSent("the webhook's address must begin with https://")
    return url, host


def _wait_of(headers: Headers) -> timedelta | None:
    """Return how long the receiver asks to be left alone, in seconds; the other form, a date, is not understood."""
    text = headers.get("Retry-After", "")
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        return None
    return min(timedelta(seconds=int(text)), _LONGEST_WAIT)
