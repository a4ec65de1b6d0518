"""Classes of sizes of what shares something: those below k stand in a zone of their own."""

from markupsafe import Markup

from auditor.reports.charts.drawing import BOTTOM, LEFT, TOP, text, tidy
from graphkit.numbers import count

HATCH = Markup(
    '<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<rect class="hatch-ground" width="6" height="6"/><rect class="hatch-line" width="2.4" height="6"/>'
    "</pattern></defs>"
)
"""Of the bars of an original; once on a page is enough."""


def size_classes(k: int) -> list[tuple[int, int | None]]:
    """Return classes of block sizes, first and last size of each; k begins one, and the last has no end.

    Examples
    --------
    >>> size_classes(5)
    [(1, 1), (2, 4), (5, 9), (10, 49), (50, 499), (500, None)]
    >>> size_classes(2)
    [(1, 1), (2, 3), (4, 19), (20, 199), (200, None)]
    """
    below: list[tuple[int, int | None]] = [(1, 1), (2, k - 1)] if k > 2 else [(1, 1)]
    return [*below, (k, 2 * k - 1), (2 * k, 10 * k - 1), (10 * k, 100 * k - 1), (100 * k, None)]


def class_label(first: int, last: int | None, between: str) -> str:
    """Return the name of a class of sizes; `between` stands between its parts, such as a line break.

    Examples
    --------
    >>> class_label(5, 9, " "), class_label(500, None, " ")
    ('5–9', '500 or more')
    """
    if last is None:
        return f"{count(first)}{between}or more"
    if first == last:
        return count(first)
    short = f"{count(first)}–{count(last)}"
    return short if len(short) <= 6 or between == " " else f"{count(first)}–{between}{count(last)}"


def exposed_zone(width: float, k: int, words: str = "below k = ") -> Markup:
    """Return the zone of sizes below k, so wide from the left; `words` tell what they are."""
    zone = Markup('<rect class="exposed" x="{}" y="{}" width="{}" height="{}"/>').format(
        LEFT, TOP, tidy(width), BOTTOM - TOP
    )
    line = Markup('<path class="limit" d="M{},{}V{}"/>').format(tidy(LEFT + width), TOP, BOTTOM)
    return zone + line + text(LEFT + 6, TOP + 15, f"{words}{count(k)}", "note", "start")
