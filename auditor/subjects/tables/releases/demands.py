"""How the policy of a request compares with those under which something of the same table was decided before."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from auditor.policy import differences
from auditor.subjects.tables.stored.recorded_answers import DecidedUnder

_SECTION = "table."
_APPROVAL = "exports.marginal_approval"


@dataclass(frozen=True, slots=True)
class LaxerDemands:
    """What one policy asks less of tables than policies of earlier answers."""

    keys: tuple[str, ...]
    """Of the policy, such as ``table.threshold``."""
    entry: int
    """Position in the ledger of the last answer under a policy that asks for more."""

    @property
    def remark(self) -> str:
        """What to tell whoever requests under it: the answer stands, but was it this policy that they meant?"""
        return (
            f"this policy asks less than the one that this table was decided under at entry {self.entry} of the "
            f"ledger: {', '.join(self.keys)}; name one policy in all requests of a table (--policy FILE, --preset "
            "NAME), or set it once in the configuration (AUDITOR_POLICY)"
        )


def laxer_demands(policy: str, earlier: Iterable[DecidedUnder]) -> LaxerDemands | None:
    """Return what a policy asks less of tables than those of earlier answers; None if nothing.

    Parameters
    ----------
    policy : str
        Its canonical text.
    earlier : iterable of DecidedUnder

    Examples
    --------
    >>> before = [DecidedUnder("", '{"table": {"threshold": 11, "min_width": 3}}', 2, True)]
    >>> laxer_demands('{"table": {"threshold": 3, "min_width": 8}}', before)
    LaxerDemands(keys=('table.threshold',), entry=2)
    """
    keys: dict[str, None] = {}
    entry = 0
    for one in earlier:
        found = _laxer_keys(one.text, policy)
        if found:
            keys |= dict.fromkeys(found)
            entry = max(entry, one.entry)
    return LaxerDemands(tuple(keys), entry) if keys else None


def asks_more(policy: str, earlier: Sequence[DecidedUnder]) -> bool:
    """Whether a policy asks more of tables than one under which something was released."""
    return any(one.released and _laxer_keys(policy, one.text) for one in earlier)


def _laxer_keys(before: str, after: str) -> list[str]:
    return [
        found.key
        for found in differences(json.loads(before), json.loads(after))
        if found.direction == "laxer" and (found.key.startswith(_SECTION) or found.key == _APPROVAL)
    ]
