"""The tables, and the form that brings a new one."""

from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import File, Form, UploadFile
from starlette.responses import Response

from auditor.core.errors import BadInput
from auditor.subjects.tables.api.tables import store_table
from auditor.subjects.tables.repository import Tables
from auditor.web.api.common import DataKeeper, Viewer
from auditor.web.pages.common import KNOWN, page_router, said, told
from auditor.web.pages.rendering import page
from auditor.web.security.identity import Call

router = page_router()


@router.get("/tables")
def tables(call: Viewer) -> Response:
    """Show all tables."""
    return _page(call, name="")


@router.post("/tables")
def add(
    call: DataKeeper,
    name: Annotated[str, Form(max_length=500)],
    file: Annotated[UploadFile, File()],
    holds: Annotated[Literal["counts", "records"], Form()] = "counts",
    new_version: Annotated[bool, Form()] = False,
) -> Response:
    """Store a table from a file."""
    try:
        if name.endswith("/marginal"):
            raise BadInput("a name that ends in /marginal would have no page; take another one")
        store_table(call, name, file, records=holds == "records", new_version=new_version)
    except KNOWN as error:
        return _page(call, name=name, **told(error))
    return said(f"/tables/{quote(name, safe='')}", "added")


def _page(call: Call, **given: Any) -> Response:
    return page(call, "tables/tables.html", tables=Tables(call.store).list(), **given)
