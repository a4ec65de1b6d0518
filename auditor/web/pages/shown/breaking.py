"""Where a long name may break: words stay whole, so that no column is narrower than the longest of them."""

import re

from markupsafe import Markup, escape

from auditor.reports.names import readable

_LONG = 14
"""Shorter runs of characters are not broken at all."""
# browsers break at hyphens by themselves
_WORD = re.compile(r"[^\W\d_]{1,22}(?:-[^\W\d_]{1,22})*[.,;:!?)]*")
_PARTS = re.compile(r"[^\W_]{1,10}|.")


def breakable(text: object) -> Markup:
    """Return a name for a page: readable, and with places to break in what is no word.

    Examples
    --------
    >>> breakable("max_share_below_k of friends")
    Markup('max_<wbr>share_<wbr>below_<wbr>k of friends')
    >>> breakable("a quasi-identifier, not"), breakable("k-degree-anonymous.")
    (Markup('a quasi-identifier, not'), Markup('k-degree-anonymous.'))
    >>> breakable("microaggregation"), breakable("<0123456789abcdef>")
    (Markup('microaggregation'), Markup('&lt;<wbr>0123456789<wbr>abcdef&gt;'))
    """
    return Markup("").join(map(_broken, re.split(r"(\s+)", readable(str(text)))))


def _broken(run: str) -> Markup:
    if len(run) <= _LONG or _WORD.fullmatch(run):
        return escape(run)
    found = Markup("")
    width = 0
    for part in _PARTS.findall(run):
        # a break comes before a part that begins a new stretch, never before a sign: signs end what they follow
        if found and part[0].isalnum() and (width >= 10 or not found[-1].isalnum() or found[-1] == ";"):
            found += Markup("<wbr>")
            width = 0
        found += escape(part)
        width += len(part)
    return found
