"""What waits for a person: requests that they may decide, and their own that were returned to be changed."""

from collections.abc import Sequence
from dataclasses import dataclass

from auditor.access.person import is_one_of, is_same_person
from auditor.approvals.record import APPROVAL_COLUMNS, Approval
from auditor.store.repository import Repository

# read
_OPEN = f"""
MATCH (a:AuditorApproval) WHERE a.state IN ['pending', 'returned'] AND properties(a)['replaced_by'] IS NULL
  AND CASE a.state WHEN 'pending' THEN $approves ELSE properties(a)['agreed_until'] > $now END
WITH a ORDER BY a.at DESC, a.id LIMIT $most
{APPROVAL_COLUMNS} ORDER BY a.at DESC, a.id
"""
_ALL = 2**31


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits for one person, newest first."""

    to_decide: Sequence[Approval]
    to_change: Sequence[Approval]
    """Their own requests that a second person approves if they are changed."""
    more: bool = False
    """Whether there may be more: only the newest open requests were looked at."""

    @property
    def number(self) -> int:
        """How many there are of both."""
        return len(self.to_decide) + len(self.to_change)


class WaitingFor(Repository):
    """What waits for the persons of a store."""

    def person(self, name: str, *, approves: bool, most: int | None = None) -> Waiting:
        """Return what waits for a person.

        Parameters
        ----------
        name : str
        approves : bool
            Whether they have the right to approve.
        most : int, optional
            How many open requests to look at, the newest; all by default.
        """
        least = _ALL if most is None else most + 1
        looked = self._all(Approval, _OPEN, approves=approves, now=self._ledger.now(), most=least)
        found = looked[:most]
        decide = [
            one
            for one in found
            if one.state == "pending"
            and not one.frozen
            and not any(is_same_person(person, name) for person in one.requesters)
        ]
        change = [one for one in found if one.state == "returned" and is_one_of(name, one.asked_by, one.by)]
        return Waiting(decide, change, len(looked) > len(found))
