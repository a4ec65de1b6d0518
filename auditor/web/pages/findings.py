"""The findings of audits: open ones, waivers, and the page of one audit; where they are only on request."""

from collections.abc import Mapping
from datetime import timedelta
from functools import cache
from typing import Annotated, Any

from fastapi import Form
from starlette.responses import Response

from auditor.audits.open_findings import find_open_findings, look_at_findings
from auditor.audits.repository import Audits
from auditor.audits.waivers import Waivers
from auditor.policy import known_keys
from auditor.web.api.audits import waive
from auditor.web.api.common import Looker, Viewer, Waiver
from auditor.web.api.models import WaiverIn
from auditor.web.pages.common import KNOWN, Skip, page_router, parts_around, said, told
from auditor.web.pages.rendering import page
from auditor.web.security.identity import Call

router = page_router()

_SHOWN = 100
_MOST_WAIVERS = 200
_USUAL = timedelta(days=90)


class WaiverForm(WaiverIn, extra="ignore"):
    """The same as a form, which also says that a page of ours sent it."""


@router.get("/findings")
def findings(call: Viewer, skip: Skip = 0) -> Response:
    """Show open findings, and waivers."""
    return _page(call, skip)


@router.post("/findings/waive")
def waive_it(call: Waiver, asked: Annotated[WaiverForm, Form()]) -> Response:
    """Waive a finding until a day."""
    try:
        waive(call, asked)
    except KNOWN as error:
        return _page(call, entered=asked, **told(error))
    return said("/findings", "waived")


@router.post("/findings/revoke")
def revoke(call: Waiver, id: Annotated[str, Form(max_length=100)]) -> Response:
    """End a waiver before its time."""
    Waivers(call.store).revoke(id, actor=call.person)
    return said("/findings", "waiver-revoked")


@router.get("/audits/{id}")
def show(call: Viewer, id: str) -> Response:
    """Show an audit: which rules are broken, not where."""
    return page(call, "audit.html", audit=Audits(call.store).show(id), rules=rules_in_words(), detailed=False)


@router.post("/audits/{id}/details")
def details(call: Looker, id: str) -> Response:
    """Show where the findings of an audit are."""
    audit = look_at_findings(call.store, id, actor=call.person)
    return page(call, "audit.html", audit=audit, rules=rules_in_words(), detailed=True)


def _page(call: Call, skip: int = 0, *, entered: WaiverForm | None = None, **given: Any) -> Response:
    # the newest audit of every subject that is there
    subjects = {row.audit: row.subject for row in call.service.overview.rows() if row.audit}
    found = find_open_findings(call.store.connection, list(subjects), limit=_SHOWN + 1, skip=skip)
    now = call.now()
    return page(
        call,
        "findings.html",
        found=found[:_SHOWN],
        subjects=subjects,
        waivers=[(waiver, waiver.state(now)) for waiver in Waivers(call.store).list()[:_MOST_WAIVERS]],
        rules=rules_in_words(),
        tomorrow=f"{now + timedelta(days=1):%Y-%m-%d}",
        usual=f"{now + _USUAL:%Y-%m-%d}",
        entered=entered,
        **parts_around("/findings", skip, _SHOWN, len(found) > _SHOWN),
        **given,
    )


@cache
def rules_in_words() -> Mapping[str, str]:
    """Return what a key of the policy asks, by the name that findings have for it.

    Examples
    --------
    >>> rules_in_words()["min_width"]
    'the smallest and the largest possible count are at least this far apart'
    """
    return {key.name.rpartition(".")[2]: key.asks for key in known_keys()}
