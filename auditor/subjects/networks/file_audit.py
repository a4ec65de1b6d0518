"""A network file audited as it is, without a store."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from auditor.core.errors import BadInput
from auditor.core.finding import Finding
from auditor.formats.networks import read_network
from auditor.subjects.networks.auditing import audit_graph, wanted_knowledge

if TYPE_CHECKING:
    from auditor.config import Settings
    from auditor.policy import Policy


def audit_file(path: Path, policy: Policy, settings: Settings, roles: Path | None) -> tuple[Finding, ...]:
    """Return what violates the policy in a network file: by degrees, and by all that the policy limits.

    Raises
    ------
    BadInput
        As :func:`auditor.formats.networks.read_network`; or if roles of columns are given.
    """
    if roles is not None:
        raise BadInput("--roles is for files of records; networks have none")
    network = policy.network
    return audit_graph(read_network(path).graph, network, wanted_knowledge((), network)).findings
