"""The private Neo4j that the auditor brings and runs itself: no Docker, no Java, no rights on the machine needed."""

from auditor.store.local.launcher import LocalStatus, ensure_running, install, status, stop
from auditor.store.local.state import ServerState, is_running

__all__ = ["LocalStatus", "ServerState", "ensure_running", "install", "is_running", "status", "stop"]
