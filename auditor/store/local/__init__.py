"""The private Neo4j that the auditor brings and runs itself: no Docker, no Java, no rights on the machine needed."""

from auditor.store.local.endpoint import Endpoint, is_alive
from auditor.store.local.launcher import LocalStatus, ensure_running, install, status, stop

__all__ = ["Endpoint", "LocalStatus", "ensure_running", "install", "is_alive", "status", "stop"]
