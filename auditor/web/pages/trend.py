"""How many findings were open in the last audits, as a line small enough for a table."""

from collections.abc import Sequence

from markupsafe import Markup

from auditor.reports.charts.drawing import tidy

_WIDTH, _HEIGHT, _ROOM = 96, 24, 4


def sparkline(trend: Sequence[int]) -> Markup:
    """Return a line through numbers, the newest last, with words for those who do not see it.

    Examples
    --------
    >>> "0 to 2 open in 3 audits, rising" in sparkline([0, 1, 2])
    True
    >>> sparkline([])
    Markup('')
    """
    if not trend:
        return Markup("")
    highest = max(*trend, 1)
    step = (_WIDTH - 2 * _ROOM) / max(len(trend) - 1, 1)
    points = [
        (tidy(_ROOM + step * place), tidy(_HEIGHT - _ROOM - (_HEIGHT - 2 * _ROOM) * value / highest))
        for place, value in enumerate(trend)
    ]
    zero = f"M{_ROOM},{_HEIGHT - _ROOM}H{_WIDTH - _ROOM}"
    path = "M" + "L".join(map(",".join, points))
    return Markup(
        '<svg class="trend" viewBox="0 0 {} {}" role="img" aria-label="{}">'
        '<path class="zero" d="{}"/><path d="{}"/><circle cx="{}" cy="{}" r="2.6"/></svg>'
    ).format(_WIDTH, _HEIGHT, _in_words(trend), zero, path, *points[-1])


def _in_words(trend: Sequence[int]) -> str:
    if len(trend) == 1:
        return f"{trend[0]} open in the only audit"
    change = trend[-1] - trend[0]
    direction = "rising" if change > 0 else "falling" if change < 0 else "as at first"
    return f"{min(trend)} to {max(trend)} open in {len(trend)} audits, {direction}, now {trend[-1]}"
