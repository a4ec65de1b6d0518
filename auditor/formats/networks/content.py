"""Which format a file has whose name does not tell."""

import re

from auditor.formats.source import Source

# possessive quantifiers: a line of ##### must not be tried in every split
_GML = re.compile(rb"\A\s*+(?:(?:#|creator\b|version\b|comment\b)[^\n]*+\s*+)*+graph\s*\[", re.IGNORECASE)
_PAJEK = re.compile(rb"\A\s*+(?:%[^\n]*+\s*+)*+\*(?:vertices|network)\b", re.IGNORECASE)


def format_of_content(source: Source) -> str:
    """Return the name of the format that the first bytes of a file look like.

    Raises
    ------
    BadFile
        If they are binary and of no known format.

    Notes
    -----
    METIS is never guessed: it looks like an edge list.
    """
    head = source.head(1 << 14)
    source.refuse_utf16(head)
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if head.startswith(b"PK\x03\x04"):
        return "npz"
    if head.startswith(b"PAR1"):
        return "parquet"
    if text[:14].lower() == b"%%matrixmarket":
        return "matrix_market"
    if text.startswith(b"<"):
        return "graphml"
    if text.startswith(b"{"):
        return "node_link"
    if _GML.match(text):
        return "gml"
    if _PAJEK.match(text):
        return "pajek"
    if b"\0" in head:
        raise source.bad(
            "is not a network file of a known kind; if it is, let its name end like its format, or give that (--format)"
        )
    first = next((line for line in text.splitlines() if line.strip() and line.lstrip()[:1] not in b"#%"), b"")
    return "csv" if b"," in first or b";" in first else "snap"
