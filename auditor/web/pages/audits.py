"""The page of an audit: its findings, and, on request, where they are and what was measured."""

from starlette.responses import Response

from auditor.audits.open_findings import look_at_findings
from auditor.audits.repository import Audits
from auditor.web.api.common import Looker, Viewer
from auditor.web.pages.common import page_router
from auditor.web.pages.rendering import page
from auditor.web.pages.rules import rules_in_words

router = page_router()


@router.get("/audits/{id}")
def show(call: Viewer, id: str) -> Response:
    """Show an audit: which rules are broken, not where."""
    return page(call, "audit.html", audit=Audits(call.store).show(id), rules=rules_in_words(), detailed=False)


@router.post("/audits/{id}/details")
def details(call: Looker, id: str) -> Response:
    """Show where the findings of an audit are."""
    audit = look_at_findings(call.store, id, actor=call.person)
    return page(call, "audit.html", audit=audit, rules=rules_in_words(), detailed=True)
