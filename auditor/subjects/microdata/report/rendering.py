"""Self-contained HTML pages about files of records."""

from auditor.reports.pages import report_environment
from auditor.subjects.microdata.exports.generalized.claim_record import is_freeform
from auditor.subjects.microdata.report.audit_page import AuditReport, audit_page
from auditor.subjects.microdata.report.generalized_page import GeneralizedReport, generalized_page
from auditor.subjects.microdata.report.public_generalized_page import public_generalized_page
from auditor.subjects.microdata.report.public_page import PublicRelease, public_page
from auditor.subjects.microdata.report.release_page import ReleaseReport, release_page
from auditor.subjects.microdata.report.stored_page import stored_page
from auditor.subjects.microdata.report.stored_report import StoredReport

_PACKAGE = "auditor.subjects.microdata.report"


def render_audit(report: AuditReport) -> str:
    """Return the page about an audit: counts and shares, no value of a record; for the house all the same."""
    return report_environment(_PACKAGE).get_template("audit.html").render(audit_page(report))


def render_release(report: ReleaseReport) -> str:
    """Return the page about a protected version beside its original, for those who may see the original."""
    return report_environment(_PACKAGE).get_template("release.html").render(release_page(report))


def render_generalized(report: GeneralizedReport) -> str:
    """Return the page about a generalized version beside its original, for those who may see the original."""
    return report_environment(_PACKAGE).get_template("generalized.html").render(generalized_page(report))


def render_stored(report: StoredReport) -> str:
    """Return the internal page about stored records, and what was released of them."""
    return report_environment(_PACKAGE).get_template("stored.html").render(stored_page(report))


def render_public(release: PublicRelease) -> str:
    """Return the page about a released file for everybody, made from that file and its manifest alone."""
    if is_freeform(release.claim):
        template, page = "public_generalized.html", public_generalized_page(release)
    else:
        template, page = "public.html", public_page(release)
    return report_environment(_PACKAGE).get_template(template).render(page)
