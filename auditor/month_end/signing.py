"""Signed files of a report: one line of canonical JSON, or a page that holds that line.

The line has these keys:

========= ======================================================================
key       value
========= ======================================================================
format    ``disclosure-auditor month-end report``
key       SHA-256 of the 32 bytes of the public key, hexadecimal
page      of a page alone: SHA-256 of the file without the line
report    the document
signature of the line without this key, by Ed25519, as base64
version   1
========= ======================================================================

Keys and signatures are those of checkpoints (:mod:`auditor.ledger.keys`). :mod:`auditor.ledger.verifier` verifies the
files; it imports nothing of this package.
"""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING

from auditor.core.errors import Refused
from auditor.ledger.chain import canonical_json
from auditor.ledger.keys import key_id
from auditor.ledger.verification import LedgerReport
from auditor.month_end.document import Document

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

FORMAT = "disclosure-auditor month-end report"
VERSION = 1

# in a page nothing of the line may end its element; JSON reads these as the letters themselves
_ESCAPED = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}
_PLACE = "SIGNED-REPORT-LINE"
SLOT = f'<script type="application/json" id="signed-report">{_PLACE}</script>'
"""What a page has in the place of the line before it is signed."""


def check_covers(document: Document, report: LedgerReport) -> None:
    """Refuse to sign a report that follows from a ledger that is not intact, or not up to the head that it names.

    Raises
    ------
    Refused
    """
    head = document["ledger"]["head"]
    if not report.intact:
        raise Refused("the ledger is not intact, and no report on it is signed; see 'auditor ledger verify'")
    if report.entries < head["entry"] or (report.entries == head["entry"] and report.head != head["hash"]):
        raise Refused("the ledger is another one than the report was read from; make the report again")


def signed_line(document: Document, key: Ed25519PrivateKey) -> str:
    """Return a report as a signed line, without the end of the line."""
    return _line(document, key, {})


def signed_page(html: str, document: Document, key: Ed25519PrivateKey) -> str:
    """Return a page with the signed line in it; the signature also covers the rest of the page.

    Parameters
    ----------
    html : str
        Has :data:`SLOT` once.
    document : Document
        What the page shows.
    key : Ed25519PrivateKey
    """
    before, slot, after = html.partition(SLOT)
    assert slot
    assert SLOT not in after
    opening, _, closing = slot.partition(_PLACE)
    page = hashlib.sha256((before + opening + closing + after).encode("utf-8", "surrogatepass")).hexdigest()
    line = _line(document, key, {"page": page})
    for letter, escape in _ESCAPED.items():
        line = line.replace(letter, escape)
    return before + opening + line + closing + after


def _line(document: Document, key: Ed25519PrivateKey, more: dict[str, str]) -> str:
    values = {"format": FORMAT, "key": key_id(key.public_key()), "report": document, "version": VERSION, **more}
    signature = base64.b64encode(key.sign(canonical_json(values).encode("utf-8", "surrogatepass"))).decode("ascii")
    return canonical_json({**values, "signature": signature})
