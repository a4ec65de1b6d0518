"""Tokens."""

from __future__ import annotations

from datetime import timedelta

from fastapi import Request

from auditor.access.representation import token_data
from auditor.access.tokens import Tokens
from auditor.web.api.common import Limit, Served, Skip, TokenKeeper, page_of, router_for
from auditor.web.api.kept_route import SHOWN_ONCE
from auditor.web.api.models import Page, TokenIn, TokenOut

router = router_for("tokens")


@router.get("/tokens")
def list_tokens(
    request: Request, identity: TokenKeeper, service: Served, limit: Limit = 50, skip: Skip = 0
) -> Page[TokenOut]:
    """List tokens, newest first, without their text."""
    now = service.store.ledger.clock()
    found = Tokens(service.store).list()[skip : skip + limit + 1]
    return page_of(request, [TokenOut(**token_data(one), state=one.state(now)) for one in found], limit, skip)


@router.post("/tokens", status_code=201, openapi_extra={SHOWN_ONCE: ["token"]})
def create_token(asked: TokenIn, identity: TokenKeeper, service: Served) -> TokenOut:
    """Make a token; its text is in this answer alone."""
    now = service.store.ledger.clock()
    token, text = Tokens(service.store).create(
        person=asked.person,
        role=asked.role,
        expires_at=now + timedelta(days=asked.days),
        actor=identity.person,
        only=asked.only,
        note=asked.note,
    )
    return TokenOut(**token_data(token), state=token.state(now), token=text)


@router.delete("/tokens/{id}", status_code=204)
def revoke_token(id: str, identity: TokenKeeper, service: Served) -> None:
    """Revoke a token at once."""
    Tokens(service.store).revoke(id, actor=identity.person)
