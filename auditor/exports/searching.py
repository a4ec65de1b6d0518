"""Exports by what people know of them: a part of the name, of the subject or of the file, or how the id begins."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from auditor.exports.record import Export
from auditor.store.records import columns
from auditor.store.repository import OpenStore, Repository
from auditor.store.sorting import order_by

_MATCHED = """
MATCH (x:AuditorExport)
WHERE ($state = '' OR x.state = $state)
  AND ($text = '' OR x.id STARTS WITH $text OR toLower(x.subject) CONTAINS $text
       OR toLower(last(split(x.path, '/'))) CONTAINS $text
       OR toLower(coalesce(properties(x)['name'], '')) CONTAINS $text)
"""
_ORDERS = {
    "at": "x.at",
    "name": "toLower(coalesce(properties(x)['name'], x.id))",
    "subject": "toLower(x.subject)",
    "state": "x.state",
    "verified": "x.verified_at",
}
"""What exports can be sorted by."""


@dataclass(frozen=True, slots=True)
class ExportFilter:
    """Which exports are asked for, and in which order."""

    text: str = ""
    state: str = ""
    sort: str = "-at"
    """``at``, ``name``, ``subject``, ``state`` or ``verified``, with ``-`` before it for the other direction."""


class ExportSearch(Repository):
    """Looks for exports of a store, which narrows, sorts and cuts them."""

    def find(self, asked: ExportFilter, *, limit: int, skip: int = 0) -> Sequence[Export]:
        """Return exports.

        Raises
        ------
        BadInput
            If they cannot be sorted so.
        """
        order = order_by(_ORDERS, asked.sort, "exports")
        query = f"{_MATCHED}WITH x ORDER BY {order}, x.id SKIP $skip LIMIT $limit RETURN {columns(Export, 'x')}"
        return self._all(Export, f"{query} AS export", **_values(asked), limit=limit, skip=skip)

    def count(self, asked: ExportFilter) -> int:
        """Return how many exports there are of those that are asked for."""
        return int(self._connection.read(f"{_MATCHED}RETURN count(*) AS n", **_values(asked))[0]["n"])


def search_exports(store: OpenStore, text: str, limit: int) -> Sequence[Export]:
    """Return the newest exports that fit a text."""
    return ExportSearch(store).find(ExportFilter(text), limit=limit)


def _values(asked: ExportFilter) -> dict[str, Any]:
    return {"text": asked.text.lower(), "state": asked.state}
