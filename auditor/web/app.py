"""The application: what stands before the routes, and the routes."""

from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from functools import cache

from fastapi import APIRouter, FastAPI
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.routing import BaseRoute
from starlette.staticfiles import StaticFiles

import auditor
from auditor.core.kinds import KINDS
from auditor.web import probes
from auditor.web.api.routes import api_router
from auditor.web.pages.common import error_page
from auditor.web.pages.rendering import STATIC
from auditor.web.pages.routes import pages_router
from auditor.web.problems import add_problem_handlers
from auditor.web.security.body_limit import BodyLimit
from auditor.web.security.headers import SecurityHeaders
from auditor.web.security.identity import cookie_name
from auditor.web.security.oidc.client import OidcClient
from auditor.web.security.rate import Buckets, RateLimit
from auditor.web.security.shown import KnownTokens
from auditor.web.service import Service
from auditor.web.watching import Watch

_UPLOADS = ("/api/v1/networks", "/api/v1/tables", "/networks", "/tables")


@cache
def _routes(kinds: tuple[str, ...]) -> tuple[BaseRoute, ...]:
    """Return the routes of every application of a process with these kinds: to make them takes a third of a second."""
    router = APIRouter()
    for part in (api_router(), pages_router(), probes.router):
        router.include_router(part)
    return tuple(router.routes)


def create_app(service: Service) -> FastAPI:
    """Return the application of a service.

    Parameters
    ----------
    service : Service
        Its store stays open as long as the application lives; who opened it closes it.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        with ExitStack() as ending:
            if service.runner is not None:
                service.runner.start()
                ending.callback(service.runner.stop)
            yield

    app = FastAPI(
        title="disclosure-auditor",
        version=auditor.__version__,
        summary="Disclosure control for networks and contingency tables: audits, requests, releases, approvals.",
        openapi_url="/api/v1/openapi.json",
        # the usual pages of documentation load scripts from elsewhere
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.service = service
    limits = service.limits
    # failed attempts by address. Nothing is counted for all addresses together: failures elsewhere would keep everybody
    # out. A token is 256 random bits, so that tries from many addresses find none either
    app.state.logins = Buckets(per_second=limits.logins / limits.logins_within.total_seconds(), size=limits.logins)
    # log-ins begun at the provider, by address: nobody alone pushes those of all others out of the memory
    app.state.begun = Buckets(per_second=2, size=300)
    app.state.known = KnownTokens()
    app.state.provider = OidcClient(service.settings.oidc) if service.settings.oidc.issuer is not None else None
    add_problem_handlers(app, error_page)
    app.router.routes.extend(_routes(tuple(KINDS)))
    app.mount("/static", StaticFiles(directory=STATIC), name="static")

    def most(method: str, path: str) -> int:
        return limits.upload if method == "POST" and path in _UPLOADS else limits.body

    # the last one added is asked first
    app.add_middleware(BodyLimit, most=most)
    buckets = Buckets(per_second=limits.per_second, size=limits.burst)
    app.add_middleware(RateLimit, buckets=buckets, known=app.state.known, cookie=cookie_name(service))
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=[*service.hosts], www_redirect=False)
    app.add_middleware(SecurityHeaders, secure=service.secure)
    app.add_middleware(Watch, service=service)
    return app
