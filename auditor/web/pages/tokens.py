"""Tokens: who may log in, as what, until when. The text of a new one is shown once."""

from typing import Annotated, Any

from fastapi import Form
from starlette.responses import Response

from auditor.access.rights import RIGHTS, ROLES, rights_of
from auditor.access.tokens import Token, Tokens
from auditor.web.api.common import TokenKeeper
from auditor.web.api.models import TokenIn
from auditor.web.api.tokens import make_token
from auditor.web.pages.common import KNOWN, page_router, said, told
from auditor.web.pages.entered import checked
from auditor.web.pages.rendering import page
from auditor.web.security.identity import Call

router = page_router()


class TokenForm(TokenIn, extra="ignore"):
    """The same as a form, which also says that a page of ours sent it."""

    days: int = 0
    """Checked where the form can be shown again."""


@router.get("/tokens")
def tokens(call: TokenKeeper) -> Response:
    """Show all tokens."""
    return _page(call)


@router.post("/tokens")
def create(call: TokenKeeper, asked: Annotated[TokenForm, Form()]) -> Response:
    """Make a token. Its text is in this answer alone: there is no address to see it again."""
    try:
        made, text = make_token(call, checked(TokenIn, **asked.model_dump()))
    except KNOWN as error:
        return _page(call, entered=asked, **told(error))
    return _page(call, made, text)


@router.post("/tokens/{id}/revoke")
def revoke(call: TokenKeeper, id: str) -> Response:
    """Make a token useless."""
    Tokens(call.store).revoke(id, actor=call.person)
    return said("/tokens", "token-revoked")


def _page(
    call: Call, made: Token | None = None, text: str | None = None, *, entered: TokenForm | None = None, **problem: Any
) -> Response:
    now = call.now()
    return page(
        call,
        "tokens.html",
        tokens=[(token, token.state(now)) for token in Tokens(call.store).list()],
        roles=[(role, sorted(rights_of(role, call.policy.roles))) for role in ROLES],
        rights=RIGHTS,
        made=made,
        text=text,
        entered=entered
        or TokenForm.model_construct(person="", role=ROLES[0], days=TokenIn.model_fields["days"].default),
        **problem,
    )
