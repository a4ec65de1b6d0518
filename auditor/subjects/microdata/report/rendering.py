"""Self-contained HTML pages about files of records."""

from auditor.reports.pages import report_environment
from auditor.subjects.microdata.report.audit_page import AuditReport, audit_page
from auditor.subjects.microdata.report.generalized_page import GeneralizedReport, generalized_page
from auditor.subjects.microdata.report.public_page import public_page
from auditor.subjects.microdata.report.release_page import ReleaseReport, release_page

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


def render_public(report: ReleaseReport) -> str:
    """Return the page about a released file for everybody, made from that file and its manifest alone.

    Raises
    ------
    Refused
        If nothing was written, or it awaits approval.
    """
    return report_environment(_PACKAGE).get_template("public.html").render(public_page(report))
