"""What is told of a stored network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from auditor.subjects.networks.repository import NetworkInfo


def network_data(info: NetworkInfo) -> dict[str, Any]:
    """Return what is told of a network."""
    return {
        "name": info.name,
        "vertices": info.vertices,
        "edges": info.edges,
        "source": info.source,
        "checksum": info.checksum,
        "derived_from": info.derived_from,
        "created_at": info.created_at,
    }
