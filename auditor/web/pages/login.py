"""Log in with a token, and out, however one logged in."""

import math
from typing import Annotated

from fastapi import Depends, Form, Request
from starlette.responses import Response

from auditor.access.tokens import Tokens
from auditor.web.api.common import Served
from auditor.web.pages.common import own_path, page_router, see_other
from auditor.web.pages.provider_login import provider_of
from auditor.web.pages.rendering import render
from auditor.web.security.identity import Identity, check_meant, check_origin, cookie_name, set_session_cookie
from auditor.web.security.rate import Buckets
from auditor.web.security.sessions import Sessions
from auditor.web.security.shown import network_of

router = page_router()

Anybody = Annotated[Identity | None, Depends(check_meant)]


@router.get("/login")
def login_page(request: Request, next: str | None = None, ended: bool = False) -> Response:
    """Ask for a token, also after a session has ended before a form was handled."""
    problem = "Your session has ended and nothing was done. Log in and try again." if ended else None
    return _form(request, next, problem)


@router.post("/login")
def login(
    request: Request, service: Served, token: Annotated[str, Form(max_length=500)], next: Annotated[str, Form()] = "/"
) -> Response:
    """Begin a session. Its cookie is a new one, whatever the browser had before."""
    check_origin(request)
    failures: Buckets = request.app.state.logins
    address = network_of(request.client.host if request.client is not None else "")
    wait = failures.wait(address)
    if wait:
        service.metrics.count_login("limited")
        problem = f"Too many attempts failed. Try again in {math.ceil(wait / 60)} min."
        refused = _form(request, next, problem, status=429)
        refused.headers["Retry-After"] = str(math.ceil(wait))
        return refused
    found = Tokens(service.store).find(token.strip())
    if found is None or found.state(service.store.ledger.clock()) != "valid":
        failures.take(address)
        service.metrics.count_login("refused")
        problem = "This token is not valid: it may be mistyped, revoked or expired."
        return _form(request, next, problem, status=401)
    service.metrics.count_login("accepted")
    text = Sessions(service.store).begin(found, service.limits.session)
    response = see_other(own_path(next))
    set_session_cookie(response, service, text)
    return response


@router.post("/logout")
def logout(request: Request, identity: Anybody, service: Served) -> Response:
    """End the session, here and in the store; who logged in at a provider is sent there to log out."""
    text = request.cookies.get(cookie_name(service), "")
    provider, address = provider_of(request), None
    if text:
        found = Sessions(service.store).find(text)
        Sessions(service.store).end(text)
        if provider is not None and found is not None and found[0].id_token is not None:
            address = provider.end_address(found[0].id_token)
    response: Response = see_other("/login")
    if provider is not None and address is not None:
        # a page, and no redirect: where forms lead is told to browsers, and it is this service alone
        response = render(request, "logged_out.html", None, address=address, name=provider.settings.name)
    response.delete_cookie(cookie_name(service), path="/", secure=service.secure, httponly=True, samesite="strict")
    return response


def _form(request: Request, next: str | None, problem: str | None, *, status: int = 200) -> Response:
    provider = provider_of(request)
    name = None if provider is None else provider.settings.name
    return render(request, "login.html", None, status=status, next=own_path(next), problem=problem, provider=name)
