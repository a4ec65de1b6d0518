"""Who sends a request: known by a token in the header, or by the cookie of a session."""

import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, Request
from starlette.responses import Response

from auditor.access.rights import Right
from auditor.access.tokens import Token, Tokens
from auditor.policy import Policy
from auditor.store import Store
from auditor.web.security.sessions import Sessions
from auditor.web.security.shown import KnownTokens
from auditor.web.service import Service, service_of

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_HEADER = "X-CSRF-Token"
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
_NOT_MEANT = "the form is too old, or was not sent by a page of this service; load the page again"


class NotLoggedIn(Exception):
    """The request has no token or session, or it has ended."""


class Forbidden(Exception):
    """The person may not do this; the message says what is missing."""


@dataclass(frozen=True, slots=True)
class Identity:
    """The person who sends a request."""

    person: str
    role: str
    rights: frozenset[Right]
    token: str
    """Id of the token."""
    csrf: str | None
    """What unsafe requests must send; None for a token in the header, which no other site can send."""

    def may(self, right: Right) -> bool:
        """Whether one has a right."""
        return right in self.rights

    def require(self, right: Right) -> None:
        """Refuse a person without a right.

        Raises
        ------
        Forbidden
        """
        if not self.may(right):
            raise Forbidden(f"this needs the right '{right}', which the token of {self.person} does not give")


def cookie_name(service: Service) -> str:
    """Return the name of the session's cookie; over TLS one that no other host and no plain connection can set."""
    return "__Host-auditor" if service.secure else "auditor"


def begun_cookie_name(service: Service) -> str:
    """Return the name of the cookie of a browser that was sent to the provider to log in."""
    return f"{cookie_name(service)}-begun"


def set_session_cookie(response: Response, service: Service, text: str) -> None:
    """Give a browser the text of a new session: no script reads it, and no other site's page sends it."""
    response.set_cookie(
        cookie_name(service),
        text,
        max_age=int(service.limits.session.total_seconds()),
        path="/",
        secure=service.secure,
        httponly=True,
        samesite="strict",
    )


def find_identity(request: Request) -> Identity | None:
    """Return who sends a request; None if it names nobody. A token in the header counts before a cookie.

    The store is asked once for a request: what follows from the answer is decided in the same moment.
    """
    if not hasattr(request.state, "identity"):
        request.state.identity = _found(request, service_of(request))
    found: Identity | None = request.state.identity
    return found


def admit(request: Request, needs: "Sequence[Needs]") -> None:
    """Make sure that the requester is known and has the rights, before anything of the body is read.

    Raises
    ------
    NotLoggedIn, Forbidden
    """
    identity = find_identity(request)
    if identity is None:
        raise NotLoggedIn
    for one in needs:
        identity.require(one.right)
    if identity.csrf is None or request.method in _SAFE:
        return
    check_origin(request)
    if request.headers.get(_HEADER) is None and not _is_form(request):
        raise Forbidden(_NOT_MEANT)


def _found(request: Request, service: Service) -> Identity | None:
    header = request.headers.get("Authorization")
    if header is not None:
        scheme, _, text = header.partition(" ")
        token = Tokens(service.store).find(text.strip()) if scheme.lower() == "bearer" else None
        if token is None or token.state(service.store.ledger.clock()) != "valid":
            raise NotLoggedIn
        return _identity(request, token, text.strip(), service, None)
    text = request.cookies.get(cookie_name(service), "")
    found = Sessions(service.store).find(text) if text else None
    return None if found is None else _identity(request, found[1], text, service, found[0].csrf)


async def check_meant(
    request: Request, identity: Annotated[Identity | None, Depends(find_identity)]
) -> Identity | None:
    """Make sure that a request that changes something comes from a page of ours, and was sent by its form.

    A browser sends cookies along whatever page made the request. Ours say what only they can know; and where the
    browser says what site a request comes from, it must be this one.
    """
    if request.method in _SAFE or identity is None or identity.csrf is None:
        return identity
    check_origin(request)
    given = request.headers.get(_HEADER)
    if given is None and _is_form(request):
        field = (await request.form()).get("csrf")
        given = field if isinstance(field, str) else None
    if given is None or not hmac.compare_digest(given.encode(), identity.csrf.encode()):
        raise Forbidden(_NOT_MEANT)
    return identity


def _is_form(request: Request) -> bool:
    """Whether the body is a form, which says in a field what only a page of ours knows."""
    return request.headers.get("content-type", "").startswith(_FORMS)


def check_origin(request: Request) -> None:
    """Refuse what another site's page sends.

    Raises
    ------
    Forbidden
        If the browser says that it does.
    """
    origin = request.headers.get("Origin")
    other = origin is not None and urlsplit(origin).netloc.lower() != request.headers.get("Host", "").lower()
    if other or request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        raise Forbidden("requests from pages of other sites change nothing here")


@dataclass(frozen=True, slots=True)
class Call:
    """A request, who sends it, and the service that it came to."""

    request: Request
    identity: Identity
    service: Service

    @property
    def person(self) -> str:
        """Name of the person who sends it."""
        return self.identity.person

    @property
    def store(self) -> Store:
        """The store of the service."""
        return self.service.store

    @property
    def policy(self) -> Policy:
        """The policy of the service."""
        return self.service.policy

    def now(self) -> datetime:
        """Return the time, by the clock of the ledger."""
        return self.store.ledger.clock()

    def may(self, right: Right) -> bool:
        """Whether the person has a right."""
        return self.identity.may(right)


@dataclass(frozen=True, slots=True)
class Needs:
    """A dependency: the person who sends a request must have a right. Every route has one, or is public by name.

    Parameters
    ----------
    right : Right
    """

    right: Right

    def __call__(self, request: Request, identity: Annotated[Identity | None, Depends(check_meant)]) -> Call:
        """Return the request with who sends it.

        Raises
        ------
        NotLoggedIn, Forbidden
        """
        if identity is None:
            raise NotLoggedIn
        identity.require(self.right)
        return Call(request, identity, service_of(request))


def _identity(request: Request, token: Token, text: str, service: Service, csrf: str | None) -> Identity:
    # from now on requests with this text count for the token
    known: KnownTokens = request.app.state.known
    known.note(text, token.id)
    # for the log
    request.state.person = token.person
    return Identity(token.person, token.role, token.rights(service.policy.roles), token.id, csrf)
