"""Pages of ledger entries: how they are read, and which ones somebody asks for."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from auditor.core.clock import time_text
from auditor.core.errors import BadInput
from auditor.ledger.chain import EntryRecord, canonical_json
from auditor.ledger.kinds import about_ids, check_kind, parse_about
from auditor.store.connection import Connection

# in the order of EntryRecord; one list of lists a page is several times faster to read than records
PACKED = "RETURN collect([e.seq, e.at, e.actor, e.kind, e.subject, e.payload, e.previous, e.hash]) AS entries"
"""How a query returns the entries `e` as one page."""

_CONDITIONS = {
    "about": "e.subject = $about",
    # what has an id is told in the payload, whoever the entry is about; its text is canonical JSON
    "mention": "(e.subject = $about OR e.payload CONTAINS $mention)",
    "kinds": "e.kind IN $kinds",
    "by": "e.actor = $by",
    "since": "e.at >= $since",
    "until": "e.at < $until",
}
ALL = 2**62
"""Of positions and limits: every entry."""

# read: from the newest on, until there are enough
_NEWEST = f"MATCH (e:AuditorEntry) WHERE e.seq < $before{{conditions}} WITH e ORDER BY e.seq DESC LIMIT $limit {PACKED}"


def newest_query(
    about: str | None,
    kinds: Sequence[str],
    since: datetime | None,
    until: datetime | None,
    by: str | None = None,
) -> tuple[str, dict[str, Any]]:
    """Return the query for the newest entries that fulfil all conditions, and its parameters but the two of the page.

    See :meth:`auditor.store.ledger.Ledger.show`.
    """
    values: dict[str, Any] = {}
    conditions = []
    if about is not None:
        family, name = parse_about(about)
        values |= {"about": about, "mention": canonical_json({family: name})[1:-1]}
        conditions.append("mention" if family in about_ids() else "about")
    if kinds:
        for kind in kinds:
            check_kind(kind)
        values["kinds"] = [*kinds]
        conditions.append("kinds")
    if by is not None:
        values["by"] = by
        conditions.append("by")
    for name, at in (("since", since), ("until", until)):
        if at is not None:
            values[name] = time_text(at)
            conditions.append(name)
    return _NEWEST.format(conditions="".join(f" AND {_CONDITIONS[condition]}" for condition in conditions)), values


def read_page(connection: Connection, query: str, limit: int, **values: Any) -> list[EntryRecord]:
    """Return the entries of a page by position.

    Raises
    ------
    BadInput
        If `limit` is below 1.
    """
    if limit < 1:
        raise BadInput(f"limit ({limit}) must be at least 1")
    (page,) = connection.read(query, limit=limit, **values)
    return sorted((EntryRecord(*entry) for entry in page["entries"]), key=lambda entry: entry.seq)
