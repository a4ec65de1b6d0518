"""Stored gardens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from auditor.core.errors import AlreadyExists
from auditor.core.names import check_name
from auditor.store.schema.head import lock_store
from auditor.store.subjects import require_subject
from auditor.subjects.named import NamedSubjects

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

__all__ = ["GardenInfo", "Gardens"]


@dataclass(frozen=True, slots=True)
class GardenInfo:
    """A stored garden."""

    name: str
    beds: int


class Gardens(NamedSubjects[GardenInfo]):
    """The gardens of a store."""

    family: ClassVar[str] = "garden"
    list_query: ClassVar[str] = "MATCH (g:AuditorGarden) RETURN g.name AS name, g.beds AS beds ORDER BY name"
    show_query: ClassVar[str] = "MATCH (g:AuditorGarden {name: $name}) RETURN g.name AS name, g.beds AS beds"
    exists_query: ClassVar[str] = "MATCH (g:AuditorGarden {name: $name}) RETURN count(g) AS found"

    def add(self, name: str, beds: int, *, actor: str) -> GardenInfo:
        """Store a garden."""
        check_name(name)

        def work(tx: ManagedTransaction) -> None:
            lock_store(tx)
            if tx.run(self.exists_query, name=name).single(strict=True)["found"]:
                raise AlreadyExists(f"there is a garden {name!r} already; choose another name")
            tx.run("CREATE (:AuditorGarden {name: $name, beds: $beds, change: 1})", name=name, beds=beds).consume()
            self._ledger.append(tx, "garden_added", {"name": name}, actor=actor, subject=f"garden:{name}")

        self._connection.write(work)
        return self.show(name)

    def remove(self, name: str, *, actor: str) -> None:
        """Remove a garden."""

        def work(tx: ManagedTransaction) -> None:
            lock_store(tx)
            require_subject(tx, "garden", name)
            tx.run("MATCH (g:AuditorGarden {name: $name}) DETACH DELETE g", name=name).consume()
            self._ledger.append(tx, "garden_removed", {"name": name}, actor=actor, subject=f"garden:{name}")

        self._connection.write(work)

    @staticmethod
    def _info(record: dict[str, Any]) -> GardenInfo:
        return GardenInfo(**record)
