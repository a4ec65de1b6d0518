"""How the statuses of marginals look: a colour that colour-blind readers tell apart, and a shape for all others."""

from collections.abc import Mapping

from markupsafe import Markup

from auditor.reports.charts.drawing import tidy
from auditor.subjects.tables.charts.picture import label
from graphkit.numbers import count

_COLOURS = {
    "released": ("#0072b2", "#cfe3f1"),
    "implied": ("#2f8fc4", "#eaf4fb"),
    "pending": ("#7a5c00", "#faf0c8"),
    "refused": ("#8f3a00", "#f2cdb4"),
    "unreleasable": ("#d55e00", "#fbe7da"),
    "releasable": ("#007a59", "#d3eee4"),
    "undecided": ("#6b7280", "#f4f5f7"),
    "open": ("#6b7280", "#ffffff"),
}
# drawn around a point, four units to each side
_SHAPES = {
    "released": "m-4.5,0a4.5,4.5 0 1 0 9,0a4.5,4.5 0 1 0-9,0z",
    "implied": "m-3.8,0a3.8,3.8 0 1 0 7.6,0a3.8,3.8 0 1 0-7.6,0z",
    "pending": "m0-5l5,5l-5,5l-5-5z",
    "refused": "m-4-4h8v8h-8z",
    "unreleasable": "m-3.5-3.5l7,7m0-7l-7,7",
    "releasable": "m0-4.8l4.8,8.4h-9.6z",
    "undecided": "m-3.5,0h7",
    "open": "m-1.6,0a1.6,1.6 0 1 0 3.2,0a1.6,1.6 0 1 0-3.2,0z",
}
_FILLED = ("released", "refused", "releasable")

_DASHES = (
    ".box-unreleasable{stroke-dasharray:5 3}.box-undecided{stroke-dasharray:2 3}.box-open,.box-implied{stroke-width:.8}"
    ".bar-released{fill:#0072b2}.bar-pending{fill:#b8960c}.bar-refused{fill:#8f3a00}"
    ".bar-unreleasable{fill:url(#lines)}.bar-undecided{fill:url(#points)}"
    ".bar-open{fill:#ffffff}"
)
STATUS_STYLE = (
    "".join(
        f".{status}{{stroke:{line};stroke-width:{1.4 if status in _FILLED else 2};"
        f"fill:{line if status in _FILLED else 'none'}}}.box-{status}{{stroke:{line};fill:{ground};stroke-width:1.4}}"
        for status, (line, ground) in _COLOURS.items()
    )
    + _DASHES
)
"""Rules of CSS: a class a status for its marker, one for its box, and one more for its bar."""

PATTERNS = Markup(
    '<defs><pattern id="lines" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<rect width="7" height="7" fill="#fbe7da"/><rect width="2" height="7" fill="#d55e00"/></pattern>'
    '<pattern id="points" width="7" height="7" patternUnits="userSpaceOnUse">'
    '<rect width="7" height="7" fill="#f4f5f7"/><circle cx="3" cy="3" r="1" fill="#6b7280"/></pattern></defs>'
)
"""What bars of the last resorts are filled with."""


def marker(status: str, x: float, y: float) -> Markup:
    """Return the mark of a status at a place."""
    return Markup('<path class="{}" d="M{},{}{}"/>').format(status, tidy(x), tidy(y), _SHAPES[status])


def status_bar(status: str, x: float, y: float, width: float, height: float) -> Markup:
    """Return a bar of a status."""
    return Markup('<rect class="box-{0} bar-{0}" x="{1}" y="{2}" width="{3}" height="{4}"/>').format(
        status, tidy(x), tidy(y), tidy(width), tidy(height)
    )


def legend(counts: Mapping[str, int], y: float, *, bars: bool = False) -> list[Markup]:
    """Return the statuses that occur, each with its mark or a piece of its bar, and its number, on one line."""
    marks, place = [], 24.0
    for status, number in counts.items():
        if number:
            words = f"{status} {count(number)}"
            sign = status_bar(status, place - 7, y - 11, 14, 13) if bars else marker(status, place, y - 4)
            marks += [sign, label(place + 12, y, words)]
            place += 36 + 6.6 * len(words)
    return marks
