"""What is told of a stored network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from auditor.subjects.networks.repository import NetworkInfo


def network_data(info: NetworkInfo) -> dict[str, Any]:
    """Return what is told of a network."""
    shown = ("name", "vertices", "edges", "source", "checksum", "derived_from", "created_at")
    return {name: getattr(info, name) for name in shown}
