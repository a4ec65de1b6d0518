"""How many vertices are exposed, for every k that one could ask for."""

from collections.abc import Sequence

from auditor.reports.charts.drawing import Chart, Series
from auditor.reports.charts.exposure_curve import exposure_curve_chart
from graphkit.networks.risk.degree_risk import DegreeRisk


def risk_curve_chart(shown: Sequence[tuple[Series, DegreeRisk]], k: int) -> Chart | None:
    """Return the share of vertices in blocks of fewer than k over k, as step curves; None without vertices.

    Parameters
    ----------
    shown : sequence of (series, risk)
        What to draw, the original first.
    k : int
        Required block size, marked on the curve.
    """
    return exposure_curve_chart(shown, k, "vertices", "blocks")
