"""Gardens for audits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from auditor.core.finding import Finding
from auditor.core.kinds import SubjectPort
from auditor.core.ports.happening import Happening, LedgerEvent
from auditor.core.subject import AuditSubject
from auditor.store.subjects import check_unchanged
from tests.support.toy_subject.repository import Gardens

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

    from auditor.policy import Policy
    from auditor.store import Store

__all__ = ["GardenPort"]


class GardenPort(SubjectPort):
    """See :class:`~auditor.core.kinds.SubjectPort`."""

    def find(self, store: Store, name: str) -> AuditSubject:
        garden = Gardens(store).show(name)
        return AuditSubject("garden", name, f"garden:{name}", str(garden.beds), 1)

    def check_same(self, tx: ManagedTransaction, subject: AuditSubject) -> None:
        check_unchanged(tx, subject.shown, subject.number)

    def audit(
        self, store: Store, subject: AuditSubject, policy: Policy, clock: Callable[[], float]
    ) -> Sequence[Finding]:
        beds, most = Gardens(store).show(subject.name).beds, policy.section("garden").most_beds
        if beds <= most:
            return ()
        return (Finding("most_beds", "beds", "violation", beds, most, f"{beds} beds, at most {most} may be"),)

    def happenings(self, event: LedgerEvent) -> Sequence[Happening]:
        if event.kind == "garden_added":
            return (Happening("released", about="opened to visitors"),)
        return super().happenings(event)
