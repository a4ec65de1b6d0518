"""What is published of a stored network."""

from datetime import datetime
from typing import Any

from auditor.core.representation import Representation
from auditor.subjects.networks.repository import NetworkInfo

_SHOWN = ("name", "vertices", "edges", "source", "checksum", "derived_from", "created_at")


class NetworkOut(Representation):
    """A stored network."""

    name: str
    vertices: int
    edges: int
    source: str
    derived_from: str | None
    created_at: datetime


class AddedNetworkOut(NetworkOut):
    """A network that was stored from a file."""

    remarks: list[str]
    """How the file was understood, and what of it was dropped: counts and names of columns."""
    warnings: list[str]
    """Why the file may hold no network at all."""


def network_data(info: NetworkInfo) -> dict[str, Any]:
    """Return a network for `--json`, with the checksum of its content."""
    return {name: getattr(info, name) for name in _SHOWN}
