"""Risk against utility: what several sizes of groups cost, and what they leave to an attacker."""

from collections.abc import Sequence

from markupsafe import Markup

from auditor.reports.charts.axes import LinearScale
from auditor.reports.charts.drawing import BOTTOM, LEFT, RIGHT, TOP, Chart, text, tidy
from auditor.subjects.microdata.exports.effects import CurvePoint
from graphkit.numbers import count, figure, share

_AFTER = ("after", "information loss, records linked")


def risk_utility_chart(points: Sequence[CurvePoint], k: int) -> Chart | None:
    """Return the share of records that are linked over the information loss, a mark for each k; None without points.

    Parameters
    ----------
    points : sequence of CurvePoint
        By rising k.
    k : int
        The one that was chosen.
    """
    if not points:
        return None
    x = LinearScale(0, max(1e-3, *(point.information_loss for point in points)) * 1.12, LEFT, RIGHT)
    y = LinearScale(0, max(1e-3, *(point.linked for point in points)) * 1.15, BOTTOM, TOP)
    places = [(x(point.information_loss), y(point.linked)) for point in points]
    line = "M" + "L".join(f"{tidy(across)},{tidy(up)}" for across, up in places)
    marks = [Markup('<path class="curve after" d="{}"/>').format(line)]
    for point, (across, up) in zip(points, places, strict=True):
        marks.append(Markup('<path class="dot after" d="M{},{}m0-5l5,5l-5,5l-5-5z"/>').format(tidy(across), tidy(up)))
        # no label ends outside the drawing
        right = across < RIGHT - 60
        place, anchor = (across + 8, "start") if right else (RIGHT, "end")
        words = text(place, up - 8, f"k = {count(point.k)}", "note" if point.k == k else "value", anchor)
        marks.append(words)
    chosen = next((point for point in points if point.k == k), points[0])
    return Chart(
        "risk-utility",
        "Risk against utility",
        f"With k = {count(chosen.k)}, {share(chosen.linked)} of the published records are linked to the right original "
        f"by an attacker who knows all attributes, at an information loss of {figure(chosen.information_loss)} %. "
        "Other sizes were tried with little work: they may cost less.",
        ("information loss, %", "share of the records that are linked"),
        marks,
        [(x(value), figure(value)) for value in x.ticks()],
        [(y(value), share(value)) for value in y.ticks()],
        "line",
        (_AFTER,),
        "k",
        tuple([count(point.k), f"{figure(point.information_loss)} %, {share(point.linked)}"] for point in points),
    )
