"""What is published of a token: never its text, but in the answer that made it."""

from datetime import datetime
from typing import Any

from pydantic import Field

from auditor.access.tokens import Token
from auditor.core.representation import Representation


class TokenOut(Representation):
    """A token; its text only in the answer that made it."""

    id: str
    person: str
    role: str
    only: list[str] | None = Field(validation_alias="narrowed_to")
    note: str
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None
    issuer: str | None = None
    state: str
    token: str | None = None


def token_data(token: Token) -> dict[str, Any]:
    """Return a token for `--json`, without its state."""
    return TokenOut.from_record(token, state="").model_dump(exclude={"state", "token"})
