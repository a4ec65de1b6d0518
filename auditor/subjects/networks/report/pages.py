"""One self-contained HTML page about a network, in two editions."""

from typing import Literal

from auditor.core.errors import Refused
from auditor.reports.pages import report_environment
from auditor.subjects.networks.report.internal_edition import internal_page
from auditor.subjects.networks.report.network_report import NetworkReport
from auditor.subjects.networks.report.public_edition import public_page

Edition = Literal["internal", "public"]
_PACKAGE = "auditor.subjects.networks.report"


def render_network_report(report: NetworkReport, edition: Edition = "internal") -> str:
    """Return a page about a network: no script, nothing loaded from elsewhere.

    Parameters
    ----------
    report : NetworkReport
        What there is to say.
    edition : {"internal", "public"}, optional
        `internal` shows everything, the original's degree distribution and the number of added edges included; `public`
        is made from the released file, its claim, its checks and the requested policy alone.

    Raises
    ------
    Refused
        If the edition is public and nothing was released yet, or the released file fails its checks.
    """
    if edition == "internal":
        return report_environment(_PACKAGE).get_template("internal.html").render(internal_page(report))
    if report.release is None:
        raise Refused("nothing was released of this network, so there is nothing to say in public; anonymize it first")
    risk = report.release.risk
    if risk is None or not report.release.verified:
        raise Refused("the released file fails its checks; write the internal report to see which")
    policy = report.audit.policy if report.asked else None
    page = public_page(report.release, risk, report.version, policy, report.findings_of_release)
    return report_environment(_PACKAGE).get_template("public.html").render(page)
