"""Which addresses of the Internet a request may go to: those that belong to everybody, and to nobody's own network.

What is left out is the IANA's registries of special-purpose addresses, written down here: the `is_global` of the
standard library differs from version to version, and lets multicast, 6to4 and NAT64 addresses pass.
"""

from ipaddress import IPv4Address, IPv4Network, IPv6Network, ip_address

_SPECIAL_4 = tuple(
    IPv4Network(text)
    for text in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",
        "100.64.0.0/10",  # shared by a provider's customers
        "127.0.0.0/8",
        "169.254.0.0/16",  # link-local, and where clouds tell their secrets
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",  # relays of 6to4
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",
    )
)
# all that was given to anybody. What lies outside is loopback, link-local, private, multicast, IPv4-mapped or NAT64
_GIVEN_6 = IPv6Network("2000::/3")
_SPECIAL_6 = tuple(
    IPv6Network(text)
    for text in (
        "2001::/23",  # Teredo and others
        "2001:db8::/32",
        "2002::/16",  # 6to4: an IPv4 address inside
        "3fff::/20",
    )
)


def is_public(address: str) -> bool:
    """Whether an address is neither private nor special in another way.

    Parameters
    ----------
    address : str
        IPv4 or IPv6, also with a zone.

    Examples
    --------
    >>> [is_public(address) for address in ("8.8.8.8", "10.0.0.1", "::ffff:8.8.8.8", "2a00:1450:4001::5e", "fe80::1%e")]
    [True, False, False, True, False]
    """
    found = ip_address(address)
    if isinstance(found, IPv4Address):
        return not any(found in network for network in _SPECIAL_4)
    if found.scope_id is not None or found not in _GIVEN_6:
        return False
    return not any(found in network for network in _SPECIAL_6)
