"""The policy that the service decides under, in words; and those that something was decided under before."""

import json
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from auditor.policy import flat_values, key_of
from auditor.store.policies import policy_text
from auditor.web.api.common import Viewer
from auditor.web.pages.common import page_router
from auditor.web.pages.rendering import page
from auditor.web.security.identity import Call

router = page_router()


@router.get("/policy")
def policy(call: Viewer) -> Response:
    """Show the policy of the service."""
    return _page(call, call.policy.digest(), call.policy.text())


@router.get("/policy/{digest}")
def old_policy(call: Viewer, digest: str) -> Response:
    """Show a policy that something was decided under."""
    return _page(call, digest, policy_text(call.store, digest))


def _page(call: Call, digest: str, text: str) -> Response:
    present = digest == call.policy.digest()
    return page(call, "policy.html", sections=_sections(json.loads(text)), digest=digest, present=present)


def _sections(policy: Mapping[str, Any]) -> list[tuple[str, list[dict[str, Any]]]]:
    """Return the keys of every section with their values, what each asks and why; an old one may be unknown by now."""
    found: dict[str, list[dict[str, Any]]] = {}
    for name, value in flat_values(policy).items():
        key = key_of(name)
        section, _, rest = name.partition(".")
        row = {"name": rest or section, "value": _in_words(value), "asks": "", "why": ""}
        if key is not None:
            row |= {"asks": key.asks, "why": key.meaning.why}
        found.setdefault(section, []).append(row)
    return list(found.items())


def _in_words(value: Any) -> str:
    if value is None or value == []:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
