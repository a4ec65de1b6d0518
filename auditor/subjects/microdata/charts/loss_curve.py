"""What hiding among more records costs."""

from collections.abc import Sequence

from markupsafe import Markup

from auditor.reports.charts.axes import LinearScale
from auditor.reports.charts.drawing import BOTTOM, LEFT, RIGHT, TOP, Chart, text, tidy
from auditor.subjects.microdata.exports.generalized.effects import LossPoint
from graphkit.numbers import count, figure, share

_AFTER = ("after", "GCP, counts off by at most")


def loss_curve_chart(points: Sequence[LossPoint], k: int) -> Chart | None:
    """Return the loss over k, a mark for each k that was tried; None without points.

    Parameters
    ----------
    points : sequence of LossPoint
        By rising k.
    k : int
        The one that was chosen.
    """
    if not points:
        return None
    x = LinearScale(0, points[-1].k * 1.12, LEFT, RIGHT)
    y = LinearScale(0, max(1e-6, *(point.gcp for point in points)) * 1.15, BOTTOM, TOP)
    places = [(x(point.k), y(point.gcp)) for point in points]
    line = "M" + "L".join(f"{tidy(across)},{tidy(up)}" for across, up in places)
    marks = [Markup('<path class="curve after" d="{}"/>').format(line)]
    for point, (across, up) in zip(points, places, strict=True):
        marks.append(Markup('<path class="dot after" d="M{},{}m0-5l5,5l-5,5l-5-5z"/>').format(tidy(across), tidy(up)))
        if point.k == k:
            marks.append(text(across, up - 10, f"k = {count(point.k)}", "note", "middle"))
    return Chart(
        "loss-curve",
        "What other k would cost",
        "Loss (GCP) by the number of records among which each one hides. Others than the chosen one were tried with "
        "little work: they may cost less.",
        ("k", "loss (GCP)"),
        marks,
        [(x(value), figure(value)) for value in x.ticks()],
        [(y(value), figure(value)) for value in y.ticks()],
        "line",
        (_AFTER,),
        "k",
        tuple([count(point.k), f"{figure(point.gcp)}, {share(point.queries.median)}"] for point in points),
    )
