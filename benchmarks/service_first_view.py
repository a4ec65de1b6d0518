"""The first view of the lists of a service that was just started, on a store with many subjects."""

from __future__ import annotations

import http.client
import time

from benchmarks.row import Row

_PAGES = ("/", "/findings", "/ledger", "/exports", "/search?q=network+19")
_BAR = 1000


def first_views(port: int, cookie: str, subjects: int) -> list[Row]:
    """Return how long the first answers of a service take, with the whole page read.

    Parameters
    ----------
    port : int
        Of a service that has answered nothing but the log-in: neither its pages nor the queries of its store are known.
    cookie : str
        Of a session.
    subjects : int
        How many the store has, for the rows.
    """
    rows = []
    for path in _PAGES:
        began = time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request("GET", path, headers={"Cookie": cookie})
        response = connection.getresponse()
        text = response.read().decode()
        took = time.monotonic() - began
        connection.close()
        if response.status != 200 or "</html>" not in text:
            raise RuntimeError(f"this is no figure: {path} was answered by {response.status}")
        rows.append(Row(f"service: first view of {path}, {subjects} subjects", 1000 * took, "ms", bar=_BAR))
    return rows
