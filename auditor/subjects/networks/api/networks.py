"""Stored networks."""

from typing import Annotated, Any

import numpy as np
from fastapi import File, Form, UploadFile
from numpy.typing import NDArray

from auditor.formats.networks.remarks import ReadSummary, remarks_on, summary_of
from auditor.subjects.networks.repository import NetworkInfo, Networks
from auditor.subjects.networks.representation import AddedNetworkOut, NetworkOut
from auditor.web.api.common import DataKeeper, Looker, Part, Viewer, router_for
from auditor.web.api.models import Page
from auditor.web.parsing import parsed_network
from auditor.web.security.identity import Call
from auditor.web.uploads import uploaded

router = router_for("networks")


@router.get("/networks")
def list_networks(call: Viewer, part: Part) -> Page[NetworkOut]:
    """List the networks by name."""
    return part.page(call, [NetworkOut.from_record(info) for info in part.of(Networks(call.store).list())])


@router.post("/networks", status_code=201)
def add_network(
    call: DataKeeper,
    name: Annotated[str, Form()],
    file: Annotated[UploadFile, File()],
    symmetrize: Annotated[bool, Form()] = False,
) -> AddedNetworkOut:
    """Add a network from a file; the suffix of its name determines the format.

    A directed network is rejected unless `symmetrize` says that its directions may be forgotten.
    """
    info, read = store_network(call, name, file, symmetrize=symmetrize)
    return AddedNetworkOut.from_record(info, remarks=remarks_on(read), warnings=read.notes.doubts)


def store_network(call: Call, name: str, file: UploadFile, *, symmetrize: bool) -> tuple[NetworkInfo, ReadSummary]:
    """Store a network from a file that came with a request; return it, and what there is to say of the file.

    Raises
    ------
    BadInput, AlreadyExists
        As :meth:`auditor.subjects.networks.repository.Networks.add`, or if the file cannot be read as a network.
    """
    networks = Networks(call.store)
    networks.check_free(name)
    with uploaded(file) as path:
        loaded = parsed_network(path, call.service.limits.parsing, symmetrize=symmetrize)
        return networks.add(name, loaded, source=path.name, actor=call.person), summary_of(loaded)


@router.get("/networks/{name:path}/degrees")
def degrees(call: Looker, name: str) -> dict[str, Any]:
    """Return how many vertices have each degree; the ledger records the view."""
    vertices = look_at_degrees(call, name)
    occurring = np.flatnonzero(vertices)
    return {"network": name, "degrees": occurring.tolist(), "vertices": vertices[occurring].tolist()}


def look_at_degrees(call: Call, name: str) -> NDArray[np.int64]:
    """Return how many vertices of a network have each degree, by degree; recorded before."""
    networks = Networks(call.store)
    info, vertices = networks.show(name), networks.block_sequence(name)
    networks.record_degrees_view(info, actor=call.person)
    return vertices


@router.get("/networks/{name:path}")
def show_network(call: Viewer, name: str) -> NetworkOut:
    """Return a network."""
    return NetworkOut.from_record(Networks(call.store).show(name))


@router.delete("/networks/{name:path}", status_code=204)
def remove_network(call: DataKeeper, name: str) -> None:
    """Remove a network; its ledger entries stay."""
    Networks(call.store).remove(name, actor=call.person)
