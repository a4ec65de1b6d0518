"""A connection to a host of the Internet, and never to one of the own network.

The name is looked up once, every address that comes back is checked, and the connection goes to a checked address. A
second look-up could bring another answer (DNS rebinding).
"""

import io
import os
import socket
import ssl
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from auditor.notifications.addresses import is_public
from auditor.notifications.failure import NotSent

Resolve = Callable[[str, int], Sequence[str]]
"""Returns the addresses of a host."""


def look_up(host: str, port: int) -> list[str]:
    """Return the addresses that the machine knows of a host, each once."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class TimedSocket:
    """A socket for `http.client` whose whole conversation must end in time, however slowly the other side drips.

    Parameters
    ----------
    inner : socket
    end : float
        When, by the monotonic clock.
    """

    def __init__(self, inner: socket.socket, end: float) -> None:
        self._inner, self._end = inner, end

    def sendall(self, data: bytes) -> None:
        """Send all, in what time is left."""
        self.limited().sendall(data)

    def makefile(self, mode: str = "rb") -> io.BufferedReader:
        """Return a stream of what the other side sends."""
        return io.BufferedReader(_Incoming(self))

    def close(self) -> None:
        """Leave it open: whoever opened the inner socket closes it."""

    def limited(self) -> socket.socket:
        """Return the inner socket, which gives up when the time is over.

        Raises
        ------
        TimeoutError
            If it is over.
        """
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._inner.settimeout(left)
        return self._inner


class _Incoming(io.RawIOBase):
    def __init__(self, source: TimedSocket) -> None:
        self._source = source

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        return self._source.limited().recv_into(buffer)


@contextmanager
def connected(
    host: str,
    port: int,
    *,
    secure: bool,
    allow_private: bool,
    seconds: float,
    resolve: Resolve = look_up,
    context: ssl.SSLContext | None = None,
) -> Iterator[TimedSocket]:
    """Give a connection to a host, closed at the end.

    Parameters
    ----------
    host, port
    secure : bool
        With TLS; the certificate must be valid and the host's.
    allow_private : bool
        Whether the host may have any address.
    seconds : float
        From the first packet to the last.
    resolve : callable, optional
        Looks a name up.
    context : SSLContext, optional
        By default the machine's certificate authorities.

    Raises
    ------
    NotSent
        If it has no address, a private one, or none answers.
    """
    end = time.monotonic() + seconds
    try:
        addresses = resolve(host, port)
    except (OSError, UnicodeError):
        raise NotSent("the host's name could not be looked up") from None
    if not addresses:
        raise NotSent("the host has no address")
    if not allow_private and not all(is_public(address) for address in addresses):
        raise NotSent(
            "the host has a private address; if it is to be called, name the host in allow_private of the policy"
        )
    inner = _first_that_answers(addresses, port, end)
    try:
        if secure:
            limited = TimedSocket(inner, end).limited()
            inner = (context or ssl.create_default_context()).wrap_socket(limited, server_hostname=host)
        yield TimedSocket(inner, end)
    except (OSError, ValueError) as error:
        raise NotSent(socket_reason(error)) from None
    finally:
        inner.close()


def socket_reason(error: Exception) -> str:
    """Return why a conversation ended, in words that quote neither address nor certificate.

    Examples
    --------
    >>> socket_reason(TimeoutError()), socket_reason(ConnectionRefusedError(111, "10.0.0.1"))
    ('the other side did not answer in time', 'no connection (Connection refused)')
    """
    if isinstance(error, TimeoutError):
        return "the other side did not answer in time"
    if isinstance(error, ssl.SSLCertVerificationError):
        return "the certificate of the other side is not valid for it"
    if isinstance(error, ssl.SSLError):
        return "no secure connection (TLS failed)"
    number = error.errno if isinstance(error, OSError) else None
    return f"no connection ({type(error).__name__ if number is None else os.strerror(number)})"


def _first_that_answers(addresses: Sequence[str], port: int, end: float) -> socket.socket:
    reason = "the other side did not answer in time"
    for address in addresses:
        left = end - time.monotonic()
        if left <= 0:
            break
        try:
            # an address needs no look-up
            return socket.create_connection((address, port), timeout=left)
        except OSError as error:
            reason = socket_reason(error)
    raise NotSent(reason)
