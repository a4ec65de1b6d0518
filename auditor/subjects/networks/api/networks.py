"""Stored networks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import File, Form, Request, UploadFile

from auditor.subjects.networks.repository import Networks
from auditor.subjects.networks.representation import network_data
from auditor.web.api.common import DataKeeper, Limit, Looker, Served, Skip, Viewer, page_of, router_for
from auditor.web.api.models import AddedNetworkOut, NetworkOut, Page
from auditor.web.parsing import parsed_network
from auditor.web.service import Service
from auditor.web.uploads import uploaded

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from auditor.subjects.networks.repository import NetworkInfo

router = router_for("networks")


@router.get("/networks")
def list_networks(
    request: Request, identity: Viewer, service: Served, limit: Limit = 50, skip: Skip = 0
) -> Page[NetworkOut]:
    """List the networks by name."""
    networks = Networks(service.store).list()[skip : skip + limit + 1]
    return page_of(request, [NetworkOut(**network_data(info)) for info in networks], limit, skip)


@router.post("/networks", status_code=201)
def add_network(
    identity: DataKeeper, service: Served, name: Annotated[str, Form()], file: Annotated[UploadFile, File()]
) -> AddedNetworkOut:
    """Add a network from a file; its name tells the format."""
    info, doubts = store_network(service, name, file, actor=identity.person)
    return AddedNetworkOut(**network_data(info), warnings=[*doubts])


def store_network(service: Service, name: str, file: UploadFile, *, actor: str) -> tuple[NetworkInfo, tuple[str, ...]]:
    """Store a network from a file that came with a request; return it, and why the file may hold no network at all.

    Raises
    ------
    BadInput, AlreadyExists
        As :meth:`auditor.subjects.networks.repository.Networks.add`, or if the file cannot be read as a network.
    """
    Networks(service.store).check_free(name)
    with uploaded(file) as path:
        loaded = parsed_network(path, service.limits.parsing)
        return Networks(service.store).add(name, loaded, source=path.name, actor=actor), loaded.notes.doubts


@router.get("/networks/{name:path}/degrees")
def degrees(name: str, identity: Looker, service: Served) -> dict[str, Any]:
    """Return how many vertices have each degree; the look is in the ledger."""
    import numpy as np

    _, vertices = look_at_degrees(service, name, actor=identity.person)
    occurring = np.flatnonzero(vertices)
    return {"network": name, "degrees": occurring.tolist(), "vertices": vertices[occurring].tolist()}


def look_at_degrees(service: Service, name: str, *, actor: str) -> tuple[NetworkInfo, NDArray[np.int64]]:
    """Return a network and how many of its vertices have each degree, by degree; recorded before."""
    from auditor.subjects.networks.disclosure_views import record_degrees_look

    store = service.store
    info = Networks(store).show(name)
    vertices = Networks(store).block_sequence(name)
    record_degrees_look(store.connection, store.ledger, info, actor=actor)
    return info, vertices


@router.get("/networks/{name:path}")
def show_network(name: str, identity: Viewer, service: Served) -> NetworkOut:
    """Return a network."""
    return NetworkOut(**network_data(Networks(service.store).show(name)))


@router.delete("/networks/{name:path}", status_code=204)
def remove_network(name: str, identity: DataKeeper, service: Served) -> None:
    """Remove a network; what the ledger says of it stays."""
    Networks(service.store).remove(name, actor=identity.person)
