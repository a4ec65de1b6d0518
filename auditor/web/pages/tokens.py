"""Tokens: who may log in, as what, until when. The text of a new one is shown once."""

from typing import Annotated, Any

from fastapi import Form
from pydantic import ConfigDict
from starlette.responses import Response

from auditor.access.rights import RIGHTS, ROLES, rights_of
from auditor.access.tokens import Tokens
from auditor.web.api.common import TokenKeeper
from auditor.web.api.models import TokenIn
from auditor.web.api.tokens import make_token
from auditor.web.pages.common import KNOWN, page_router, said, told
from auditor.web.pages.rendering import page
from auditor.web.security.identity import Call

router = page_router()


class TokenForm(TokenIn):
    """The same as a form, which also says that a page of ours sent it."""

    model_config = ConfigDict(extra="ignore")


@router.get("/tokens")
def tokens(call: TokenKeeper) -> Response:
    """Show all tokens."""
    return _page(call)


@router.post("/tokens")
def create(call: TokenKeeper, asked: Annotated[TokenForm, Form()]) -> Response:
    """Make a token. Its text is in this answer alone: there is no address to see it again."""
    try:
        made, text = make_token(call, asked)
    except KNOWN as error:
        return _page(call, **told(error))
    return _page(call, made=made, text=text)


@router.post("/tokens/{id}/revoke")
def revoke(call: TokenKeeper, id: str) -> Response:
    """Make a token useless."""
    Tokens(call.store).revoke(id, actor=call.person)
    return said("/tokens", "token-revoked")


def _page(call: Call, **given: Any) -> Response:
    now = call.now()
    shown = {
        "tokens": [(token, token.state(now)) for token in Tokens(call.store).list()],
        "roles": [(role, sorted(rights_of(role, call.policy.roles))) for role in ROLES],
        "rights": RIGHTS,
        "made": None,
        "text": None,
    }
    return page(call, "tokens.html", **{**shown, **given})
