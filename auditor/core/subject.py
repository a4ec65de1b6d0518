"""What is audited: a network, what is out of a table, or an export."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from auditor.core.errors import BadInput

__all__ = ["AuditSubject", "Family", "parse_subject"]

Family = Literal["network", "table", "export"]


@dataclass(frozen=True, slots=True)
class AuditSubject:
    """A subject as one look at the store found it."""

    family: Family
    name: str
    """Of a network or table; the id of an export."""
    key: str
    """What its audits belong together by: a network's name, a table's population, an export's id."""
    state: str
    """Tells whether what an audit depends on changed; never shown."""
    number: int | None = None
    """What the store has for this one: a network's number, a population's revision."""

    @property
    def shown(self) -> str:
        """``family:name``, as the ledger has it."""
        return f"{self.family}:{self.name}"


def parse_subject(text: str) -> tuple[Family, str]:
    """Return the family and the name that ``network:NAME``, ``table:NAME`` or ``export:ID`` mean.

    Raises
    ------
    BadInput
        If there is no such family.

    Examples
    --------
    >>> parse_subject("table:a:b")
    ('table', 'a:b')
    """
    family, sign, name = text.partition(":")
    for known in get_args(Family):
        if family == known and sign and name:
            return known, name
    raise BadInput(f"{text!r} is no subject of an audit; write network:NAME, table:NAME or export:ID")
