"""Health, readiness and metrics of the service."""

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from auditor.operating.health import is_alive
from auditor.operating.metrics import CONTENT_TYPE
from auditor.web.api.common import Viewer
from auditor.web.service import service_of

router = APIRouter(include_in_schema=False)


# both are answered by the loop itself: the threads that serve requests may all wait for the store
@router.get("/healthz")
async def healthz() -> Response:
    """Tell that this process answers."""
    return PlainTextResponse("ok\n" if is_alive() else "")


@router.get("/readyz")
async def readyz(request: Request) -> Response:
    """Tell within a second whether it can do its work; 503 and why not, in words, otherwise."""
    found = await service_of(request).readiness.ask()
    return JSONResponse({"ready": not found, "reasons": found}, 503 if found else 200)


@router.get("/metrics")
def metrics(call: Viewer) -> Response:
    """Return figures for Prometheus; this needs a token with the right 'view'."""
    return Response(call.service.metrics.text(call.store), media_type=CONTENT_TYPE)
