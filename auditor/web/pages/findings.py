"""The findings of audits: open ones, waivers, and the page of one audit; where they are only on request."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Annotated, Any, Literal

from fastapi import Form, Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from auditor.audits.explaining import Explanation, ShownFinding, explain_finding, rules_like, shown_findings
from auditor.audits.open_findings import (
    OpenFilter,
    count_open_findings,
    figures_of,
    find_open_findings,
    look_at_findings,
)
from auditor.audits.overview import Overview
from auditor.audits.record import Audit
from auditor.audits.repository import Audits
from auditor.audits.waivers import Waivers
from auditor.core.kinds import KINDS
from auditor.core.subject import split_subject
from auditor.web.api.audits import waive
from auditor.web.api.common import Looker, Viewer, Waiver
from auditor.web.api.models import WaiverIn
from auditor.web.api.overview import KindNameOrAll
from auditor.web.pages.common import KNOWN, page_router, said, told
from auditor.web.pages.rendering import page
from auditor.web.pages.shown.listing import Listing
from auditor.web.security.identity import Call

router = page_router()

_SHOWN = 25
_MOST_WAIVERS = 25
_USUAL = timedelta(days=90)


class FindingFilter(BaseModel):
    """Which findings are asked for; a field of a form that is left empty asks for nothing."""

    model_config = ConfigDict(extra="ignore")

    family: KindNameOrAll = ""
    severity: Literal["", "violation", "undecided", "warning", "info"] = ""
    rule: str = Field(default="", max_length=100)
    change: Literal["", "new", "same", "worse", "better"] = ""
    text: str = Field(default="", max_length=200)
    sort: Literal["", "subject", "rule", "newest"] = ""
    skip: int = Field(default=0, ge=0, le=10_000_000)
    waivers: int = Field(default=0, ge=0, le=10_000_000)
    """How many waivers are passed over."""

    def asked(self) -> OpenFilter:
        """Return what the store is asked for."""
        text = self.text.strip()
        like = tuple(f"{family}.{rule}" for family, rule in rules_like(text)) if text else ()
        return OpenFilter(self.family, self.severity, self.rule, self.change, text, like, self.sort)


class WaiverForm(WaiverIn, extra="ignore"):
    """The same as a form, which also says that a page of ours sent it."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What a disclosure view adds to a finding."""

    finding: ShownFinding
    share: tuple[float, float] | None
    """What was measured and what is allowed, where both are shares."""
    trend: Sequence[float]
    """What the last audits measured."""


@router.get("/findings")
def findings(call: Viewer, asked: Annotated[FindingFilter, Query()]) -> Response:
    """Show open findings, and waivers."""
    return _page(call, asked)


@router.post("/findings/waive")
def waive_it(call: Waiver, asked: Annotated[WaiverForm, Form()]) -> Response:
    """Waive a finding until a day."""
    try:
        waive(call, asked)
    except KNOWN as error:
        return _page(call, FindingFilter(), entered=asked, **told(error))
    return said("/findings", "waived")


@router.post("/findings/revoke")
def revoke(call: Waiver, id: Annotated[str, Form(max_length=100)]) -> Response:
    """End a waiver before its time."""
    Waivers(call.store).revoke(id, actor=call.person)
    return said("/findings", "waiver-revoked")


@router.get("/audits/{id}")
def show(call: Viewer, id: str) -> Response:
    """Show an audit: which rules are broken, not where."""
    return _audit_page(call, Audits(call.store).show(id), viewed=False)


@router.post("/audits/{id}/details")
def details(call: Looker, id: str) -> Response:
    """Show where the findings of an audit are."""
    return _audit_page(call, look_at_findings(call.store, id, actor=call.person, trend=True), viewed=True)


def _audit_page(call: Call, audit: Audit, *, viewed: bool) -> Response:
    family, name = split_subject(audit.subject)
    of = Overview(call.store).origin(family or "", name)
    shown = [
        (_measured(call, finding), explain_finding(family or "", name, finding.rule, call.policy, of))
        for finding in shown_findings(audit, viewed=viewed)
    ]
    return page(call, "audit.html", audit=audit, findings=shown, viewed=viewed)


def _measured(call: Call, finding: ShownFinding) -> Measured:
    """Return a finding with what only a disclosure view shows of it."""
    if finding.figure is None or finding.threshold is None:
        return Measured(finding, None, ())
    is_share = isinstance(finding.figure, float) and 0 <= finding.threshold <= 1 and 0 <= finding.figure <= 1
    share = (float(finding.figure), float(finding.threshold)) if is_share else None
    return Measured(finding, share, figures_of(call.store.connection, finding.fingerprint))


def _page(call: Call, asked: FindingFilter, *, entered: WaiverForm | None = None, **given: Any) -> Response:
    connection, wanted, now = call.store.connection, asked.asked(), call.now()
    found = find_open_findings(connection, wanted, limit=_SHOWN + 1, skip=asked.skip)
    rules = count_open_findings(connection, wanted)
    filters = {name: value for name, value in asdict(wanted).items() if name not in ("like", "sort")}
    listing = Listing("/findings", filters, asked.sort, asked.skip, _SHOWN)
    waivers = Waivers(call.store).list(limit=_MOST_WAIVERS + 1, skip=asked.waivers)
    of_waivers = Listing("/findings", skip=asked.waivers, size=_MOST_WAIVERS)
    before, after = asked.waivers - _MOST_WAIVERS, asked.waivers + _MOST_WAIVERS
    return page(
        call,
        "findings.html",
        found=[(one, _explained(call, one.family, one.name, one.rule, one.of)) for one in found[:_SHOWN]],
        listing=listing,
        rules=list(rules),
        kinds=list(KINDS),
        waivers=[(waiver, waiver.state(now)) for waiver in waivers[:_MOST_WAIVERS]],
        waivers_before=of_waivers.address(waivers=max(before, 0)) + "#waivers" if asked.waivers else None,
        waivers_after=of_waivers.address(waivers=after) + "#waivers" if len(waivers) > _MOST_WAIVERS else None,
        tomorrow=f"{now + timedelta(days=1):%Y-%m-%d}",
        usual=f"{now + _USUAL:%Y-%m-%d}",
        entered=entered,
        **listing.parts(len(found), sum(rules.values())),
        **given,
    )


def _explained(call: Call, family: str, name: str, rule: str, of: str | None) -> Explanation:
    return explain_finding(family, name, rule, call.policy, of)
