"""The routes of an application, and the rights that they ask for."""

from __future__ import annotations

from collections.abc import Iterator

from fastapi import FastAPI
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute, iter_route_contexts

from auditor.web.security.identity import Needs

__all__ = ["every_route"]


def every_route(app: FastAPI) -> Iterator[tuple[str, set[str]]]:
    """Yield all routes of an application that run code of ours, as ``METHOD path``, with the rights they ask for."""
    for context in iter_route_contexts(app.routes):
        route = context.original_route
        if isinstance(route, APIRoute):
            for method in sorted(route.methods or ()):
                yield f"{method} {context.path}", _rights(route.dependant)


def _rights(dependant: Dependant) -> set[str]:
    found = {dependant.call.right} if isinstance(dependant.call, Needs) else set()
    return found.union(*map(_rights, dependant.dependencies))
