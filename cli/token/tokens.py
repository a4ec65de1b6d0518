"""`auditor token create|list|revoke`."""

from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer

from auditor.access.representation import token_data
from auditor.access.rights import ROLES
from auditor.access.tokens import Tokens
from auditor.core.errors import BadInput
from cli.terminal.completing import roles
from cli.terminal.context import Context


def create(
    context: Context,
    person: Annotated[str, typer.Argument(help="Name of the person; use one name for all their tokens.")],
    role: Annotated[
        str, typer.Option("--role", autocompletion=roles, help="viewer, requester, officer or administrator.")
    ],
    days: Annotated[int, typer.Option("--days", min=1, max=366, help="Days that it is valid.")] = 90,
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="RIGHT", help="Grant only this right; repeatable.")
    ] = None,
    note: Annotated[str, typer.Option("--note", metavar="TEXT", help="Note, for example the device.")] = "",
) -> None:
    """Create a token and show it once: only its digest is stored.

    Rights: view, request, look (disclosure views), export, approve, waive, schedule, data, ledger, tokens. A token
    never allows more than its role; officers and administrators approve and waive as far as the policy says.

    Example: auditor token create ann --role officer --days 30 --note "laptop"

    Example: auditor token create monitoring --role viewer --only view
    """
    known = next((name for name in ROLES if name == role), None)
    if known is None:
        raise BadInput(f"there is no role {role!r}; there are {', '.join(ROLES)}")
    token, secret = Tokens(context.store).create(
        person=person,
        role=known,
        expires_at=datetime.now(UTC) + timedelta(days=days),
        actor=context.actor,
        only=only,
        note=note,
    )
    context.output.answer(
        {**token_data(token), "token": secret},
        secret,
        *context.output.advice(
            f"{token.person}, {token.role}, valid until {token.expires_at:%Y-%m-%d %H:%M} UTC; this is shown only now"
        ),
    )


def list_tokens(context: Context) -> None:
    """List all tokens, also expired and revoked ones, newest first, without their text.

    Example: auditor token list
    """
    tokens, now = Tokens(context.store).list(), datetime.now(UTC)
    rows = [
        (t.id, t.person, t.role, ", ".join(t.narrowed_to or ("all",)), t.state(now), f"{t.expires_at:%Y-%m-%d}", t.note)
        for t in tokens
    ]
    columns = ("token", "person", "role", "rights of it", "state", "until", "note")
    context.output.answer(
        {"tokens": [{**token_data(token), "state": token.state(now)} for token in tokens]},
        context.output.table(columns, rows),
    )


def revoke(context: Context, token: Annotated[str, typer.Argument(help="Id of a token.")]) -> None:
    """Revoke a token at once.

    Example: auditor token revoke TOKEN
    """
    Tokens(context.store).revoke(token, actor=context.actor)
    context.output.answer({"revoked": token}, f"token {token} is revoked")
