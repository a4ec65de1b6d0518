"""What a provider says of itself, and its keys: fetched when needed, kept for a while."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any

from joserfc.errors import JoseError
from joserfc.jwk import ECKey, OKPKey, RSAKey, import_key

from auditor.config.oidc import OidcSettings, is_safe_address
from auditor.web.security.oidc.errors import ProviderAway
from auditor.web.security.oidc.fetching import AWAY, fetch

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "Ed25519", "EdDSA")
"""Signatures that only the owner of a key can make, and others can check."""

_KEPT = 3600.0
# an unknown key makes nobody ask the provider more often than that
_SOONEST = 10.0
_REST = 5.0
_MOST_KEYS = 50
_SMALLEST_RSA = 2048
_OTHER = "The provider does not call itself as the settings do. Tell an administrator, or log in with a token."
_UNFIT = "The provider does not say what a log-in needs. Tell an administrator, or log in with a token."

Key = RSAKey | ECKey | OKPKey


@dataclass(frozen=True, slots=True)
class Described:
    """What a provider says of itself."""

    authorization: str
    token: str
    keys: str
    userinfo: str | None
    end_session: str | None
    algorithms: tuple[str, ...]
    """How it signs ID tokens, as far as it is safe."""
    names_itself: bool
    """Whether its answers say whose they are (RFC 9207)."""
    secret_in_body: bool
    """Whether it takes a client's secret in the body alone."""


class Provider:
    """The provider of the settings.

    Parameters
    ----------
    settings : OidcSettings
        With an issuer.
    clock : callable, optional
        Returns seconds.
    """

    def __init__(self, settings: OidcSettings, clock: Callable[[], float] = time.monotonic) -> None:
        assert settings.issuer is not None
        self.issuer: str = settings.issuer
        self._seconds, self._clock = settings.timeout, clock
        self._lock = Lock()
        self._described: tuple[float, Described] | None = None
        self._keys: tuple[float, list[Key]] | None = None
        self._failed = -_REST

    def ask(
        self, address: str, *, body: str | None = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, dict[str, Any]]:
        """Return status and JSON of an address of the provider; see :func:`~auditor.web.security.oidc.fetching.fetch`.

        A provider that did not answer is left alone for some seconds: whoever comes meanwhile does not wait for it.

        Raises
        ------
        ProviderAway
        """
        if self._clock() - self._failed < _REST:
            raise ProviderAway(AWAY, "failed a moment ago")
        try:
            return fetch(address, seconds=self._seconds, body=body, headers=headers)
        except ProviderAway:
            self._failed = self._clock()
            raise

    def described(self) -> Described:
        """Return what the provider says of itself.

        Raises
        ------
        ProviderAway
            If it does not answer, calls itself otherwise than the settings do, or says nothing usable.
        """
        with self._lock:
            if self._described is None or self._clock() - self._described[0] > _KEPT:
                address = f"{self.issuer.rstrip('/')}/.well-known/openid-configuration"
                status, found = self.ask(address)
                if status != 200:
                    raise ProviderAway(_UNFIT, f"discovery {status}")
                self._described = (self._clock(), _read(found, self.issuer))
            return self._described[1]

    def keys(self, kid: str | None) -> list[Key]:
        """Return the keys that may have signed a token: those of its `kid`, or all where it names none.

        Raises
        ------
        ProviderAway
            If the provider does not answer.
        """
        address = self.described().keys
        with self._lock:
            old = self._keys is None or self._clock() - self._keys[0] > _KEPT
            if old or (self._keys is not None and not _of(self._keys[1], kid) and self._may_ask_again()):
                status, found = self.ask(address)
                if status != 200:
                    raise ProviderAway(_UNFIT, f"keys {status}")
                self._keys = (self._clock(), _usable(found.get("keys")))
            assert self._keys is not None
            return _of(self._keys[1], kid)

    def _may_ask_again(self) -> bool:
        return self._keys is None or self._clock() - self._keys[0] >= _SOONEST


def _of(keys: list[Key], kid: str | None) -> list[Key]:
    return [key for key in keys if kid is None or key.kid == kid]


def _read(found: dict[str, Any], issuer: str) -> Described:
    if found.get("issuer") != issuer:
        raise ProviderAway(_OTHER, "issuer of discovery")
    addresses: dict[str, str | None] = {}
    for name in ("authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint", "end_session_endpoint"):
        address = found.get(name)
        fits = isinstance(address, str) and is_safe_address(address.partition("?")[0])
        addresses[name] = address if fits else None
    authorization, token, keys = (addresses[name] for name in list(addresses)[:3])
    stated = found.get("id_token_signing_alg_values_supported", ["RS256"])
    algorithms = tuple(one for one in ALGORITHMS if isinstance(stated, list) and one in stated)
    if authorization is None or token is None or keys is None or not algorithms:
        raise ProviderAway(_UNFIT, "discovery")
    methods = found.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
    return Described(
        authorization,
        token,
        keys,
        addresses["userinfo_endpoint"],
        addresses["end_session_endpoint"],
        algorithms,
        found.get("authorization_response_iss_parameter_supported") is True,
        isinstance(methods, list) and "client_secret_basic" not in methods and "client_secret_post" in methods,
    )


def _usable(found: Any) -> list[Key]:
    """Return the public keys for signatures; others, and what is none, are left out."""
    usable: list[Key] = []
    for one in (found if isinstance(found, list) else [])[:_MOST_KEYS]:
        if not isinstance(one, dict) or one.get("use", "sig") != "sig" or one.get("kty") not in ("RSA", "EC", "OKP"):
            continue
        try:
            key = import_key(one)
            strong = not isinstance(key, RSAKey) or key.public_key.key_size >= _SMALLEST_RSA
        except (JoseError, ValueError, TypeError, KeyError):
            continue
        if strong and isinstance(key, RSAKey | ECKey | OKPKey):
            usable.append(key)
    return usable
