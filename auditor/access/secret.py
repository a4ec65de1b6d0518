"""The text of a token: shown once, and stored as a digest."""

import hashlib
import secrets

_PREFIX = "dat_"
_BYTES = 32


def new_secret() -> str:
    """Return the text of a new token, from the operating system's randomness.

    It begins alike, so that scanners for leaked secrets know it.
    """
    return _PREFIX + secrets.token_urlsafe(_BYTES)


def digest_of(secret: str) -> str:
    """Return what is stored of a token.

    Notes
    -----
    256 random bits need no salt and no slow hash: nobody tries them all. Looking the digest up takes a time that
    depends on the digest, from which nothing of the token follows.

    Examples
    --------
    >>> digest_of("dat_x")[:12]
    '55a4a9b4c033'
    """
    return hashlib.sha256(secret.encode()).hexdigest()
