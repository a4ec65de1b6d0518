"""What was declared of the variables of earlier versions of a table, as the later version has it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from auditor.ledger.chain import canonical_json
from graphkit.tables.versions.variable_link import VariableLink


def link_record(link: VariableLink) -> dict[str, object]:
    """Return a link as the ledger, the store and ``--json`` have it.

    Examples
    --------
    >>> link_record(VariableLink("A", ("X",)))
    {'old': 'A', 'new': ['X'], 'rows': []}
    """
    return {"old": link.old, "new": [*link.new], "rows": [[*row] for row in link.rows]}


def links_text(declared: Mapping[int, Sequence[VariableLink]]) -> str:
    """Return links by earlier version as JSON.

    Examples
    --------
    >>> links_text({1: [VariableLink("A")]})
    '{"1":[{"new":[],"old":"A","rows":[]}]}'
    """
    return canonical_json({str(version): [link_record(link) for link in links] for version, links in declared.items()})


def parse_links(text: str | None) -> dict[int, tuple[VariableLink, ...]]:
    """Return the links that :func:`links_text` wrote; none where nothing was declared."""
    found = json.loads(text) if text is not None else {}
    return {
        int(version): tuple(
            VariableLink(one["old"], tuple(one["new"]), tuple(tuple(row) for row in one["rows"])) for one in links
        )
        for version, links in found.items()
    }
