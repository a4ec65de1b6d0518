"""How a request came in: with which token, what for, and whose it was before another person took it over."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a request comes from, beside the name of its requester."""

    token: str | None = None
    """Id of the token; None at the terminal, where nobody logs in. When it is revoked, what is pending is frozen."""
    earlier: tuple[str, ...] = ()
    """Persons who requested the same before the requester took it over: none of them decides about it."""
    purpose: str | None = None
    """What the requester wants it for, in their words on one line; the person who decides and the ledger have it."""
