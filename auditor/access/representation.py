"""What is told of a token: never its text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from auditor.access.tokens import Token


def token_data(token: Token) -> dict[str, Any]:
    """Return what is told of a token."""
    return {
        "id": token.id,
        "person": token.person,
        "role": token.role,
        "only": token.narrowed_to,
        "note": token.note,
        "created_at": token.created_at,
        "expires_at": token.expires_at,
        "revoked_at": token.revoked_at,
    }
