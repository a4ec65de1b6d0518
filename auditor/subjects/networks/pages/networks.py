"""The networks, and the form that brings a new one."""

from typing import Annotated, Any
from urllib.parse import quote

from fastapi import File, Form, UploadFile
from starlette.responses import Response

from auditor.subjects.networks.api.networks import store_network
from auditor.subjects.networks.repository import Networks
from auditor.web.api.common import DataKeeper, Viewer
from auditor.web.pages.common import KNOWN, page_router, said, told
from auditor.web.pages.rendering import page
from auditor.web.security.identity import Call

router = page_router()


@router.get("/networks")
def networks(call: Viewer) -> Response:
    """Show all networks."""
    return _page(call, name="")


@router.post("/networks")
def add(
    call: DataKeeper,
    name: Annotated[str, Form(max_length=500)],
    file: Annotated[UploadFile, File()],
) -> Response:
    """Store a network from a file."""
    try:
        _, doubts = store_network(call, name, file)
    except KNOWN as error:
        return _page(call, name=name, **told(error))
    return said(f"/networks/{quote(name, safe='')}", "added-in-doubt" if doubts else "added")


def _page(call: Call, **given: Any) -> Response:
    return page(call, "networks/networks.html", networks=Networks(call.store).list(), **given)
