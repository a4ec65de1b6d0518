"""Requests to the provider: bounded in time and size, without redirects, over TLS or on this machine."""

import http.client
import json
import socket
from collections.abc import Mapping
from typing import Any, cast
from urllib.parse import urlsplit

import auditor
from auditor.config.oidc import is_safe_address
from auditor.notifications.connecting import connected
from auditor.notifications.failure import NotSent
from auditor.web.security.oidc.errors import ProviderAway

_MOST = 1 << 20
AWAY = "The provider does not answer. Try again later, or log in with a token."
_STRANGE = "The provider's answer cannot be understood. Try again later, or log in with a token."


def fetch(
    address: str, *, seconds: float, body: str | None = None, headers: Mapping[str, str] | None = None
) -> tuple[int, dict[str, Any]]:
    """Return status and JSON object of an address: GET, or POST of a form where there is a body.

    Raises
    ------
    ProviderAway
        If it does not answer in time, or with something else than a JSON object of at most a megabyte.
    """
    if not is_safe_address(address.partition("?")[0]):
        raise ProviderAway(_STRANGE, "address")
    url = urlsplit(address)
    secure = url.scheme == "https"
    sent = {
        "Host": url.netloc,
        "Accept": "application/json",
        "User-Agent": f"disclosure-auditor/{auditor.__version__}",
        "Connection": "close",
        **({"Content-Type": "application/x-www-form-urlencoded"} if body is not None else {}),
        **(headers or {}),
    }
    path = f"{url.path or '/'}?{url.query}" if url.query else url.path or "/"
    port = url.port or (443 if secure else 80)
    try:
        # the provider is named in the settings: it may well be of the own network
        with connected(url.hostname or "", port, secure=secure, allow_private=True, seconds=seconds) as peer:
            connection = http.client.HTTPConnection("provider")
            connection.sock = cast(socket.socket, peer)
            connection.request("GET" if body is None else "POST", path, body, sent)
            answer = connection.getresponse()
            text = answer.read(_MOST + 1)
    except NotSent as error:
        raise ProviderAway(AWAY, str(error)) from None
    except http.client.HTTPException:
        raise ProviderAway(_STRANGE, "no HTTP") from None
    if answer.status >= 500 or len(text) > _MOST:
        raise ProviderAway(AWAY, f"status {answer.status}")
    try:
        found = json.loads(text)
    # also of too many brackets
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise ProviderAway(_STRANGE, "no JSON object")
    return answer.status, found
