"""Pages about networks, for the house and for the public."""

from auditor.reports.network_report import Making, NetworkReport, Release
from auditor.reports.pages import Edition, render_network_report

__all__ = ["Edition", "Making", "NetworkReport", "Release", "render_network_report"]
