"""The page on the HTTP API, from the description that every service gives of itself."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

_INTRODUCTION = """\
# HTTP API

This page is written from the service's own description of its routes and objects when the site is built.
A running service shows the same at `/api/v1/openapi.json`; here it is [as a file](openapi.json) (OpenAPI 3.1).
[The API](api.md) explains rights, jobs, pages of lists, repeated requests and limits.

Every route can also answer with an error:
"""


def description() -> dict[str, Any]:
    """Return the description of the API in OpenAPI's form."""
    from fastapi import FastAPI

    import auditor
    from auditor.web.api.routes import api_router

    app = FastAPI(title="disclosure-auditor", version=auditor.__version__)
    app.include_router(api_router())
    return app.openapi()


def http_page(api: dict[str, Any]) -> str:
    """Return the page: routes by subject, then the objects that they take and return."""
    routes: dict[str, list[str]] = {}
    errors: dict[str, str] = {}
    for path, methods in api["paths"].items():
        for method, route in methods.items():
            routes.setdefault((route.get("tags") or ["others"])[0], []).append(_route(path, method, route))
            errors |= {status: answer["description"] for status, answer in route["responses"].items() if status >= "4"}
    parts = [_INTRODUCTION + "\n" + _table(("status", "meaning"), sorted(errors.items()))]
    for tag, texts in sorted(routes.items()):
        parts += [f"## {tag.capitalize()}", *texts]
    parts.append("## Objects")
    parts += [_object(name, schema) for name, schema in sorted(api["components"]["schemas"].items())]
    return "\n\n".join(parts) + "\n"


def _route(path: str, method: str, route: dict[str, Any]) -> str:
    parts = [f"### `{method.upper()} {path}`", route.get("description") or f"{route['summary']}."]
    fields = [
        (f"`{of['name']}`", of["in"], _type(of["schema"]), of.get("description") or of["schema"].get("description", ""))
        for of in route.get("parameters", [])
    ]
    if fields:
        parts.append(_table(("parameter", "in", "type", "meaning"), fields))
    said = [f"Takes {_contents(route['requestBody'])}."] if "requestBody" in route else []
    for status, answer in route["responses"].items():
        if status < "4":
            said.append(f"Returns {status}{_colon(_contents(answer))}.")
    return "\n\n".join([*parts, " ".join(said)])


def _contents(body: dict[str, Any]) -> str:
    """Return what a body contains: an object of ours, or the type of a file; empty where the description is silent."""
    found = []
    for kind, content in body.get("content", {}).items():
        named = list(_names(content.get("schema", {})))
        found.append(", or ".join(map(_link, named)) if named else f"`{kind}`")
    return ", or ".join(dict.fromkeys(found))


def _colon(text: str) -> str:
    return f": {text}" if text else ""


def _names(schema: Any) -> Iterator[str]:
    """Yield the objects that a schema refers to."""
    if isinstance(schema, dict):
        if "$ref" in schema:
            yield schema["$ref"].rsplit("/", 1)[1]
        for key, value in schema.items():
            # the choices once more, with the value that tells them apart
            if key != "discriminator":
                yield from _names(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _names(value)


def _object(name: str, schema: dict[str, Any]) -> str:
    parts = [f"### {name}"]
    if schema.get("description"):
        parts.append(schema["description"])
    needed = set(schema.get("required", ()))
    fields = [
        (f"`{field}`", _type(of), "yes" if field in needed else "", _default(of), of.get("description", ""))
        for field, of in schema.get("properties", {}).items()
    ]
    if fields:
        parts.append(_table(("field", "type", "required", "default", "meaning"), fields))
    return "\n\n".join(parts)


def _default(schema: dict[str, Any]) -> str:
    return f"`{json.dumps(schema['default'])}`" if "default" in schema else ""


def _type(schema: dict[str, Any]) -> str:
    """Return a type in a few words, with a link to an object of ours."""
    if "$ref" in schema:
        return _link(schema["$ref"].rsplit("/", 1)[1])
    for choice in ("anyOf", "oneOf"):
        if choice in schema:
            return " or ".join(_type(one) for one in schema[choice])
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(one)}`" for one in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    return str(schema.get("format") or schema.get("type", "any"))


def _link(name: str) -> str:
    return f"[{name}](#{name.lower()})"


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """Return a table; line breaks and bars in a cell would break it."""
    shown = ["| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *shown])
