"""Log in at the OpenID provider of the house, and what the provider tells of log-outs there."""

import math
from datetime import timedelta
from typing import Annotated

from fastapi import Form, Request
from starlette.responses import RedirectResponse, Response

from auditor.access.log_ins import LogIns
from auditor.core.errors import BadInput, NotFound, Refused
from auditor.web.api.common import Served
from auditor.web.pages.common import own_path, page_router, see_other
from auditor.web.pages.rendering import render
from auditor.web.security.identity import begun_cookie_name, set_session_cookie
from auditor.web.security.oidc.client import ANSWER, Arrived, NameUnfit, OidcClient, PersonWithoutRole
from auditor.web.security.oidc.errors import LogInFailed, NotVouched
from auditor.web.security.oidc.pending import SECONDS
from auditor.web.security.rate import Buckets
from auditor.web.security.sessions import Sessions
from auditor.web.security.shown import network_of
from auditor.web.service import Service

# each log-in that was begun is kept in memory for a while
_LONGEST_NEXT = 2000

router = page_router()


@router.get("/login/provider")
def begin(request: Request, service: Served, next: str | None = None) -> Response:
    """Send the browser to the provider; not when another site's page asks for it."""
    provider = _provider(request)
    if request.headers.get("Sec-Fetch-Site", "none") == "cross-site":
        return see_other("/login")
    begun_here: Buckets = request.app.state.begun
    wait = _failures(request).wait(_address(request)) or begun_here.take(_address(request))
    if wait:
        service.metrics.count_login("limited")
        refused = _page(request, 429, f"Too many attempts. Try again in {math.ceil(wait / 60)} min.")
        refused.headers["Retry-After"] = str(math.ceil(wait))
        return refused
    try:
        address, begun = provider.begin(own_path(None if next is None or len(next) > _LONGEST_NEXT else next))
    except LogInFailed as error:
        return _refused(request, service, error)
    response = RedirectResponse(address, 303)
    response.set_cookie(
        begun_cookie_name(service),
        begun.browser,
        max_age=int(SECONDS),
        path="/",
        secure=service.secure,
        httponly=True,
        # the provider's page leads back here: a strict one would not come along
        samesite="lax",
    )
    return response


@router.get(ANSWER)
def answer(request: Request, service: Served) -> Response:
    """Begin a session for whom the provider vouches for. Its cookie is a new one, whatever the browser had before."""
    provider = _provider(request)
    browser = request.cookies.get(begun_cookie_name(service), "")
    given = request.query_params
    try:
        # of what is there twice, nobody knows which one counts
        if len(set(given)) != len(given.multi_items()):
            raise LogInFailed("The provider's answer cannot be understood. Start again.", "repeated")
        arrived = provider.finish(given, browser, service.store.ledger.clock())
        text = _session(service, provider, arrived)
    except PersonWithoutRole as error:
        LogIns(service.store).leave(error.issuer, error.subject)
        return _refused(request, service, error)
    except LogInFailed as error:
        return _refused(request, service, error)
    service.metrics.count_login("accepted")
    # a page, and no redirect: on the way from another site browsers leave strict cookies out
    response = render(request, "log_in_done.html", None, next=own_path(arrived.next))
    set_session_cookie(response, service, text)
    _forget(response, service)
    return response


@router.post("/login/provider/ended")
def ended(request: Request, service: Served, logout_token: Annotated[str, Form(max_length=65536)]) -> Response:
    """End sessions of somebody who logged out at the provider, or was logged out; the provider itself says so."""
    provider = _provider(request)
    try:
        found = provider.ended(logout_token, service.store.ledger.clock())
    except LogInFailed as error:
        _note(service, error)
        return Response(status_code=error.status)
    issuer, sessions = provider.provider.issuer, Sessions(service.store)
    token = None if found.subject is None else LogIns(service.store).find(issuer, found.subject)
    if token is not None:
        sessions.end_of(token.id, found.provider_session)
    elif found.subject is None and found.provider_session is not None:
        sessions.end_at_provider(issuer, found.provider_session)
    provider.note_done(found)
    return Response(status_code=200)


def provider_of(request: Request) -> OidcClient | None:
    """Return the provider of the settings; None without one."""
    found: OidcClient | None = request.app.state.provider
    return found


def _provider(request: Request) -> OidcClient:
    found = provider_of(request)
    if found is None:
        raise NotFound("there is no such page")
    return found


def _session(service: Service, provider: OidcClient, arrived: Arrived) -> str:
    """Begin a session, and return its text."""
    until = service.store.ledger.clock() + timedelta(minutes=provider.settings.recheck_minutes)
    try:
        token = LogIns(service.store).admit(arrived.person, until)
    except BadInput as error:
        raise NameUnfit(str(error), arrived.person.subject) from None
    except Refused:
        raise LogInFailed("Your access was revoked here. Ask an administrator of this service.", "revoked") from None
    return Sessions(service.store).begin(
        token, service.limits.session, id_token=arrived.id_token, provider_session=arrived.provider_session
    )


def _refused(request: Request, service: Service, error: LogInFailed) -> Response:
    # a provider that is away keeps nobody from trying a token
    # nor does another site's page, which a browser without a log-in that was begun comes from
    if isinstance(error, NotVouched) and begun_cookie_name(service) in request.cookies:
        _failures(request).take(_address(request))
    service.metrics.count_login("refused")
    _note(service, error)
    response = _page(request, error.status, str(error))
    _forget(response, service)
    return response


def _page(request: Request, status: int, reason: str) -> Response:
    return render(request, "log_in_refused.html", None, status=status, reason=reason)


def _note(service: Service, error: LogInFailed) -> None:
    """Say in the log which check failed: the page does not, and no word of the answer is repeated."""
    if service.log is not None:
        service.log.write("warning", "login", process="serve", status=error.cause)


def _forget(response: Response, service: Service) -> None:
    response.delete_cookie(begun_cookie_name(service), path="/", secure=service.secure, httponly=True, samesite="lax")


def _failures(request: Request) -> Buckets:
    found: Buckets = request.app.state.logins
    return found


def _address(request: Request) -> str:
    return network_of(request.client.host if request.client is not None else "")
