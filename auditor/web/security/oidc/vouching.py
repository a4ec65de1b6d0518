"""What a provider vouches with: signed tokens, checked before a word of them is believed."""

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import ECKey, OKPKey, RSAKey

from auditor.config.oidc import OidcSettings
from auditor.web.security.oidc.errors import NotVouched
from auditor.web.security.oidc.provider import Key, Provider

LEEWAY = 30
"""Seconds by which the clocks of the provider and of this machine may differ."""

_LONGEST = 64 << 10
_LONGEST_SUBJECT = 255
_EVENT = "http://schemas.openid.net/event/backchannel-logout"
# an older message may be one that somebody kept
_FRESH = 300
_REFUSED = "What the provider sent could not be verified, and you are not logged in. Start again from the log-in page."


def check_id_token(
    text: Any, provider: Provider, settings: OidcSettings, *, nonce: str, access_token: str | None, now: datetime
) -> Mapping[str, Any]:
    """Return the claims of an ID token, verified.

    Parameters
    ----------
    text : object
        What the token endpoint gave as one.
    provider : Provider
    settings : OidcSettings
    nonce : str
        Of this log-in.
    access_token : str or None
        Came with it; `at_hash` is of it.
    now : datetime

    Raises
    ------
    NotVouched
        If the provider did not sign it, or not for this service, this log-in and this moment.
    """
    header, claims = _verified(text, provider)
    _check_audience(claims.get("aud"), settings)
    options: Any = {
        "iss": {"essential": True, "value": provider.issuer},
        "aud": {"essential": True, "value": settings.client_id},
        "nonce": {"essential": True, "value": nonce},
    }
    told = {"client_id": settings.client_id, "nonce": nonce}
    checked = CodeIDToken(claims, header, options, told)
    try:
        checked.validate(now=int(now.timestamp()), leeway=LEEWAY)
    except JoseError as error:
        raise NotVouched(_REFUSED, f"claim: {error.error}") from None
    if "at_hash" in claims and claims["at_hash"] != _half_hash(access_token or "", header["alg"]):
        raise NotVouched(_REFUSED, "at_hash")
    check_subject(claims.get("sub"))
    return claims


def check_logout_token(text: str, provider: Provider, settings: OidcSettings, now: datetime) -> Mapping[str, Any]:
    """Return the claims of a back-channel logout token, verified.

    Raises
    ------
    NotVouched
        If the provider did not sign it, or not for this service and this moment, or it is another kind of token.
    """
    header, claims = _verified(text, provider)
    if header.get("typ") not in (None, "JWT", "logout+jwt"):
        raise NotVouched(_REFUSED, "typ")
    _check_audience(claims.get("aud"), settings)
    events, seconds = claims.get("events"), now.timestamp()
    at, until = _number(claims.get("iat", 0)), _number(claims.get("exp", seconds))
    fits = (
        claims.get("iss") == provider.issuer
        and -_FRESH <= at - seconds <= LEEWAY
        and until > seconds - LEEWAY
        and isinstance(events, dict)
        and isinstance(events.get(_EVENT), dict)
        and "nonce" not in claims
        and isinstance(claims.get("jti"), str)
        and any(isinstance(claims.get(name), str) for name in ("sub", "sid"))
    )
    if not fits:
        raise NotVouched(_REFUSED, "logout token")
    return claims


def check_subject(subject: Any) -> str:
    """Return a subject.

    Raises
    ------
    NotVouched
        If it is none.
    """
    if not isinstance(subject, str) or not 0 < len(subject) <= _LONGEST_SUBJECT or not subject.isprintable():
        raise NotVouched(_REFUSED, "claim: sub")
    return subject


def _verified(text: Any, provider: Provider) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return header and claims of a token that the provider signed."""
    if not isinstance(text, str) or not text.isascii() or len(text) > _LONGEST or text.count(".") != 2:
        raise NotVouched(_REFUSED, "no token")
    header = _header(text)
    algorithm, kid = header.get("alg"), header.get("kid")
    # before any key is looked at: no "none", and nothing that the client's secret could sign
    if not isinstance(algorithm, str) or algorithm not in provider.described().algorithms:
        raise NotVouched(_REFUSED, "algorithm")
    if "crit" in header or (kid is not None and not isinstance(kid, str)):
        raise NotVouched(_REFUSED, "header")
    for key in _fitting(provider.keys(kid), algorithm):
        try:
            found = jwt.decode(text, key, algorithms=[algorithm])
        except (JoseError, ValueError, RecursionError):
            continue
        return header, dict(found.claims)
    raise NotVouched(_REFUSED, "signature")


def _header(text: str) -> dict[str, Any]:
    part = text.partition(".")[0]
    try:
        header = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict):
        raise NotVouched(_REFUSED, "header")
    return header


def _fitting(keys: Iterable[Key], algorithm: str) -> list[Key]:
    """Return the keys that may be used with an algorithm."""
    kind: type[Key] = RSAKey if algorithm[0] in "RP" else ECKey if algorithm.startswith("ES") else OKPKey
    return [key for key in keys if isinstance(key, kind) and key.get("alg") in (None, algorithm)]


def _half_hash(text: str, algorithm: str) -> str:
    """Return what `at_hash` must be; Authlib takes anything where the algorithm names no hash, as EdDSA does."""
    name = f"sha{algorithm[2:]}" if algorithm[2:].isdigit() else "sha512"
    digest = hashlib.new(name, text.encode()).digest()
    return base64.urlsafe_b64encode(digest[: len(digest) // 2]).decode().rstrip("=")


def _check_audience(audience: Any, settings: OidcSettings) -> None:
    given = [audience] if isinstance(audience, str) else audience
    if not isinstance(given, list) or settings.client_id not in given:
        raise NotVouched(_REFUSED, "claim: aud")
    if not all(one in (settings.client_id, *settings.audience) for one in given):
        raise NotVouched(_REFUSED, "claim: aud, others")


def _number(value: Any) -> float:
    """Return a time as a number; the beginning of all times for what is none."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else 0.0
