"""Tokens: who may log in, as what, until when. The text of a new one is shown once."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Any, Literal

from fastapi import Form, Request
from starlette.responses import Response

from auditor.access.rights import RIGHTS, ROLES, rights_of
from auditor.access.tokens import Tokens
from auditor.web.api.common import Served, TokenKeeper
from auditor.web.pages.common import KNOWN, page_router, said, told
from auditor.web.pages.rendering import render
from auditor.web.security.identity import Identity
from auditor.web.service import Service

router = page_router()


@router.get("/tokens")
def tokens(request: Request, identity: TokenKeeper, service: Served) -> Response:
    """Show all tokens."""
    return _page(request, identity, service)


@router.post("/tokens")
def create(
    request: Request,
    identity: TokenKeeper,
    service: Served,
    person: Annotated[str, Form(max_length=100)],
    role: Annotated[Literal["viewer", "requester", "officer", "administrator"], Form()],
    days: Annotated[int, Form(ge=1, le=365)] = 90,
    only: Annotated[list[str] | None, Form(max_length=len(RIGHTS))] = None,
    note: Annotated[str, Form(max_length=100)] = "",
) -> Response:
    """Make a token. Its text is in this answer alone: there is no address to see it again."""
    until = service.store.ledger.clock() + timedelta(days=days)
    try:
        token, text = Tokens(service.store).create(
            person=person, role=role, expires_at=until, actor=identity.person, only=only or None, note=note
        )
    except KNOWN as error:
        return _page(request, identity, service, **told(error))
    return _page(request, identity, service, made=token, text=text)


@router.post("/tokens/{id}/revoke")
def revoke(id: str, identity: TokenKeeper, service: Served) -> Response:
    """Make a token useless."""
    Tokens(service.store).revoke(id, actor=identity.person)
    return said("/tokens", "token-revoked")


def _page(request: Request, identity: Identity, service: Service, **given: Any) -> Response:
    now = service.store.ledger.clock()
    found = [(token, token.state(now)) for token in Tokens(service.store).list()]
    roles = [(role, sorted(rights_of(role, service.policy.roles))) for role in ROLES]
    shown = {"tokens": found, "roles": roles, "rights": RIGHTS, "made": None, "text": None}
    return render(request, "tokens.html", identity, **{**shown, **given})
