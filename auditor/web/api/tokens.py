"""Tokens."""

from datetime import timedelta

from auditor.access.representation import TokenOut
from auditor.access.tokens import Token, Tokens
from auditor.web.api.common import Part, TokenKeeper, router_for
from auditor.web.api.kept_route import SHOWN_ONCE
from auditor.web.api.models import Page, TokenIn
from auditor.web.security.identity import Call

router = router_for("tokens")


@router.get("/tokens")
def list_tokens(call: TokenKeeper, part: Part) -> Page[TokenOut]:
    """List tokens, newest first, without their text."""
    return part.page(call, [_out(call, token) for token in part.of(Tokens(call.store).list())])


@router.post("/tokens", status_code=201, openapi_extra={SHOWN_ONCE: ["token"]})
def create_token(call: TokenKeeper, asked: TokenIn) -> TokenOut:
    """Create a token; only this answer contains its text."""
    return _out(call, *make_token(call, asked))


def make_token(call: Call, asked: TokenIn) -> tuple[Token, str]:
    """Make a token, and return it with its text.

    Raises
    ------
    BadInput
        As :meth:`auditor.access.tokens.Tokens.create`.
    """
    return Tokens(call.store).create(
        **asked.model_dump(exclude={"days"}),
        expires_at=call.now() + timedelta(days=asked.days),
        actor=call.person,
    )


@router.delete("/tokens/{id}", status_code=204)
def revoke_token(call: TokenKeeper, id: str) -> None:
    """Revoke a token at once."""
    Tokens(call.store).revoke(id, actor=call.person)


def _out(call: Call, token: Token, text: str | None = None) -> TokenOut:
    return TokenOut.from_record(token, state=token.state(call.now()), token=text)
