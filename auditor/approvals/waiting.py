"""What waits for a person: requests that they may decide, and their own that were returned to be changed."""

from collections.abc import Sequence
from dataclasses import dataclass

from auditor.access.person import is_one_of, is_same_person
from auditor.approvals.record import APPROVAL_COLUMNS, Approval
from auditor.store.repository import Repository

# read
_OPEN = f"""
MATCH (a:AuditorApproval) WHERE a.state IN ['pending', 'returned'] AND properties(a)['replaced_by'] IS NULL
{APPROVAL_COLUMNS} ORDER BY a.at DESC, a.id
"""


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits for one person, newest first."""

    to_decide: Sequence[Approval]
    to_change: Sequence[Approval]
    """Their own requests that a second person approves if they are changed."""

    @property
    def number(self) -> int:
        """How many there are of both."""
        return len(self.to_decide) + len(self.to_change)


class WaitingFor(Repository):
    """What waits for the persons of a store."""

    def person(self, name: str, *, approves: bool) -> Waiting:
        """Return what waits for a person.

        Parameters
        ----------
        name : str
        approves : bool
            Whether they have the right to approve.
        """
        now = self._ledger.clock()
        found = self._all(Approval, _OPEN)
        decide = [
            one
            for one in found
            if approves
            and one.state == "pending"
            and not one.frozen
            and not any(is_same_person(person, name) for person in one.requesters)
        ]
        change = [
            one
            for one in found
            if one.state == "returned"
            and one.agreed_until is not None
            and one.agreed_until > now
            and is_one_of(name, one.asked_by, one.by)
        ]
        return Waiting(decide, change)
