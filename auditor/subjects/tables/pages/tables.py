"""The tables, and the form that brings a new one."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import File, Form, Request, UploadFile
from starlette.responses import Response

from auditor.core.errors import BadInput
from auditor.subjects.tables.api.tables import store_table
from auditor.subjects.tables.repository import Tables
from auditor.web.api.common import DataKeeper, Served, Viewer
from auditor.web.pages.common import KNOWN, page_router, said, told
from auditor.web.pages.rendering import render
from auditor.web.security.identity import Identity
from auditor.web.service import Service

router = page_router()


@router.get("/tables")
def tables(request: Request, identity: Viewer, service: Served) -> Response:
    """Show all tables."""
    return _page(request, identity, service, name="")


@router.post("/tables")
def add(
    request: Request,
    identity: DataKeeper,
    service: Served,
    name: Annotated[str, Form(max_length=500)],
    file: Annotated[UploadFile, File()],
    holds: Annotated[Literal["counts", "records"], Form()] = "counts",
    new_version: Annotated[bool, Form()] = False,
) -> Response:
    """Store a table from a file."""
    try:
        if name.endswith("/marginal"):
            raise BadInput("a name that ends in /marginal would have no page; take another one")
        store_table(service, name, file, records=holds == "records", new_version=new_version, actor=identity.person)
    except KNOWN as error:
        return _page(request, identity, service, name=name, **told(error))
    return said(f"/tables/{quote(name, safe='')}", "added")


def _page(request: Request, identity: Identity, service: Service, **given: Any) -> Response:
    return render(request, "tables/tables.html", identity, tables=Tables(service.store).list(), **given)
