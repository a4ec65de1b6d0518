"""Signatures of Standard Webhooks: who gets a message can tell that it is from here, whole, and recent.

References
----------
Standard Webhooks, version 1.0.0: https://www.standardwebhooks.com
"""

import base64
import binascii
import hashlib
import hmac

from auditor.core.errors import BadInput

_PREFIX = "whsec_"
_SHORTEST, _LONGEST = 24, 64


def parse_keys(text: str) -> list[bytes]:
    """Return the keys in a text: one, or a new one and old ones with spaces between while they are being exchanged.

    Raises
    ------
    BadInput
        If there is none, or one is not ``whsec_`` and base64 of 24 to 64 bytes; the message does not quote it.

    Examples
    --------
    >>> parse_keys("whsec_" + base64.b64encode(b"k" * 24).decode())
    [b'kkkkkkkkkkkkkkkkkkkkkkkk']
    """
    keys = []
    for word in text.split():
        try:
            if not word.startswith(_PREFIX):
                raise ValueError
            key = base64.b64decode(word.removeprefix(_PREFIX), validate=True)
        except (ValueError, binascii.Error):
            raise _no_key() from None
        if not _SHORTEST <= len(key) <= _LONGEST:
            raise _no_key()
        keys.append(key)
    if not keys:
        raise _no_key()
    return keys


def sign(id: str, timestamp: int, body: bytes, keys: list[bytes]) -> str:
    """Return the header `webhook-signature`: one signature a key.

    Parameters
    ----------
    id : str
        The header `webhook-id`; it has no dot, so that nobody can move the border between id and timestamp.
    timestamp : int
        The header `webhook-timestamp`: Unix seconds of this attempt.
    body : bytes
        To the byte what is sent.
    keys : list of bytes

    Examples
    --------
    >>> sign("msg_1", 1674087231, b"{}", [b"k" * 24])
    'v1,G1doHG0ujFtlhHA+ZGJu/UzP6aXfo87GDP2VtWSggoI='
    """
    content = b".".join((id.encode(), str(timestamp).encode(), body))
    digests = (hmac.new(key, content, hashlib.sha256).digest() for key in keys)
    return " ".join(f"v1,{base64.b64encode(digest).decode()}" for digest in digests)


def _no_key() -> BadInput:
    return BadInput(f"a key is {_PREFIX} and base64 of {_SHORTEST} to {_LONGEST} random bytes; make one anew")
