"""The job that finds out what of a table could still be released."""

import time
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import Field

from auditor.core.errors import BadInput
from auditor.policy import Policy
from auditor.store import Store
from auditor.web.jobs.kinds import JobInput, JobKind, JobPorts


class FrontierIn(JobInput):
    """Find out what of a table could still be released."""

    kind: Literal["frontier"]
    table: str
    time_limit: float = Field(default=60.0, gt=0, le=3600)
    within: list[str] | None = Field(
        default=None, min_length=1, max_length=100, description="decide only this marginal and those within it"
    )

    def subjects_named(self) -> Sequence[str]:
        """Return the subjects that the job is about."""
        return [f"table:{self.table}"]


def _frontier(ports: JobPorts, given: Mapping[str, Any]) -> dict[str, Any]:
    from auditor.core.plain import plain
    from auditor.subjects.tables.releases.lattice import decided_lattice, read_lattice
    from auditor.subjects.tables.representations.lattice import frontier_data

    ports.report("read", 0, 0)
    known = read_lattice(ports.store, given["table"])
    found = decided_lattice(
        ports.store,
        known,
        ports.policy,
        actor=ports.person,
        time_limit=given.get("time_limit", 60.0),
        clock=time.monotonic,
        report=lambda done, total: ports.report("decide", done, total),
        within=given.get("within"),
    )
    data: dict[str, Any] = plain(frontier_data(given["table"], found, ports.policy))
    return data


def _check_names(store: Store, policy: Policy, asked: FrontierIn) -> None:
    """Refuse variables that the table does not have, before the job is queued."""
    from auditor.subjects.tables.repository import Tables

    known = [variable.name for variable in Tables(store).show(asked.table).variables]
    unknown = next((name for name in asked.within or () if name not in known), None)
    if unknown is not None:
        raise BadInput(f"within: there is no variable {unknown!r}; the table has {', '.join(known)}")


# what could still be released of a table is a disclosure view, in the ledger under its requester's name
FRONTIER = JobKind("look", FrontierIn, _frontier, check=_check_names, private=True)
