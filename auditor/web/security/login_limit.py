"""How often one may fail to log in."""

from auditor.web.security.rate import Buckets
from auditor.web.security.shown import network_of
from auditor.web.service import Limits


class LoginLimit:
    """Counts failed attempts by address.

    Parameters
    ----------
    limits : Limits

    Notes
    -----
    Nothing is counted for all addresses together: failures elsewhere would keep everybody out. A token is 256 random
    bits, so that tries from many addresses find none either.
    """

    def __init__(self, limits: Limits) -> None:
        seconds = limits.logins_within.total_seconds()
        self._buckets = Buckets(per_second=limits.logins / seconds, size=limits.logins)

    def wait(self, address: str) -> float:
        """Return after how many seconds an address may try again; 0 for now."""
        return self._buckets.wait(network_of(address))

    def failed(self, address: str) -> None:
        """Count a failed attempt."""
        self._buckets.take(network_of(address))
