"""How often one may fail to log in."""

from __future__ import annotations

from auditor.web.security.rate import Buckets
from auditor.web.service import Limits

__all__ = ["LoginLimit"]

_TOGETHER = 10
_ALL = "all"


class LoginLimit:
    """Counts failed attempts by address, and of all together.

    Parameters
    ----------
    limits : Limits
    """

    def __init__(self, limits: Limits) -> None:
        seconds = limits.logins_within.total_seconds()
        self._one = Buckets(per_second=limits.logins / seconds, size=limits.logins)
        # somebody with many addresses is stopped, too; who is logged in notices nothing
        self._all = Buckets(per_second=_TOGETHER * limits.logins / seconds, size=_TOGETHER * limits.logins)

    def wait(self, address: str) -> float:
        """Return after how many seconds an address may try again; 0 for now."""
        return max(self._one.wait(address), self._all.wait(_ALL))

    def failed(self, address: str) -> None:
        """Count a failed attempt."""
        self._one.take(address)
        self._all.take(_ALL)
