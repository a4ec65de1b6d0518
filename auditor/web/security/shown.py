"""What a request shows of who sends it: a text, and an address."""

import ipaddress
from collections import OrderedDict
from threading import Lock

from starlette.datastructures import Headers
from starlette.requests import cookie_parser

from auditor.access.secret import digest_of

_MOST = 10_000


class KnownTokens:
    """Which token a text stands for, that of a token or of a session's cookie, as far as it was looked up lately."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, str] = OrderedDict()
        self._lock = Lock()

    def note(self, text: str, token: str) -> None:
        """Keep that a text stands for the token of an id."""
        with self._lock:
            self._kept[digest_of(text)] = token
            self._kept.move_to_end(digest_of(text))
            if len(self._kept) > _MOST:
                self._kept.popitem(last=False)

    def find(self, text: str) -> str | None:
        """Return the id of the token; None if nobody has shown that the text is good for anything."""
        with self._lock:
            return self._kept.get(digest_of(text))


def shown_text(headers: Headers, cookie: str) -> str | None:
    """Return the text of the token, or else of the session, that a request shows.

    Examples
    --------
    >>> shown_text(Headers({"authorization": "Bearer dat_x", "cookie": "auditor=y"}), "auditor")
    'dat_x'
    >>> shown_text(Headers({"cookie": "a=1; auditor=y"}), "auditor")
    'y'
    """
    header = headers.get("authorization")
    if header is not None:
        return header.partition(" ")[2].strip()
    return cookie_parser(headers.get("cookie", "")).get(cookie)


def network_of(address: str) -> str:
    """Return what an address counts as: of IPv6 the network that one subscriber has.

    Examples
    --------
    >>> network_of("192.0.2.7"), network_of("2001:db8:1:2:3:4:5:6"), network_of("testclient")
    ('192.0.2.7', '2001:db8:1:2::/64', 'testclient')
    """
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return address
    if known.version == 4:
        return address
    return str(ipaddress.ip_network((known, 64), strict=False))
