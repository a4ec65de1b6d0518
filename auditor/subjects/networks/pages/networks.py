"""The networks, and the form that brings a new one."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import quote

from fastapi import File, Form, Request, UploadFile
from starlette.responses import Response

from auditor.subjects.networks.api.networks import store_network
from auditor.subjects.networks.repository import Networks
from auditor.web.api.common import DataKeeper, Served, Viewer
from auditor.web.pages.common import KNOWN, page_router, said, told
from auditor.web.pages.rendering import render
from auditor.web.security.identity import Identity
from auditor.web.service import Service

router = page_router()


@router.get("/networks")
def networks(request: Request, identity: Viewer, service: Served) -> Response:
    """Show all networks."""
    return _page(request, identity, service, name="")


@router.post("/networks")
def add(
    request: Request,
    identity: DataKeeper,
    service: Served,
    name: Annotated[str, Form(max_length=500)],
    file: Annotated[UploadFile, File()],
) -> Response:
    """Store a network from a file."""
    try:
        _, doubts = store_network(service, name, file, actor=identity.person)
    except KNOWN as error:
        return _page(request, identity, service, name=name, **told(error))
    return said(f"/networks/{quote(name, safe='')}", "added-in-doubt" if doubts else "added")


def _page(request: Request, identity: Identity, service: Service, **given: Any) -> Response:
    return render(request, "networks/networks.html", identity, networks=Networks(service.store).list(), **given)
