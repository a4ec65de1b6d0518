"""How many vertices or records are exposed, for every k that one could ask for."""

from collections.abc import Sequence
from typing import Protocol

from markupsafe import Markup

from auditor.reports.charts.axes import LinearScale, LogScale
from auditor.reports.charts.drawing import BOTTOM, LEFT, RIGHT, TOP, Chart, Row, Series, text, tidy
from graphkit.arrays import Ints
from graphkit.numbers import count, share, tick


class StepRisk(Protocol):
    """How many are in groups of fewer than k, for every k."""

    @property
    def n(self) -> int:
        """All of them."""

    @property
    def curve_k(self) -> Ints:
        """Values of k at which the curve changes, rising from 2."""

    @property
    def curve_below(self) -> Ints:
        """So many are in groups of fewer than each."""

    def below(self, k: int) -> int:
        """Return how many are in groups of fewer than `k`."""


def exposure_curve_chart(shown: Sequence[tuple[Series, StepRisk]], k: int, members: str, groups: str) -> Chart | None:
    """Return the share of members in groups of fewer than k over k, as step curves; None without members.

    Parameters
    ----------
    shown : sequence of (series, risk)
        What to draw, the original first.
    k : int
        Required size of a group, marked on the curve.
    members, groups : str
        What they are called: vertices in blocks, records in classes.

    Notes
    -----
    Drawn up to 5 k, at least 25: beyond, the curve only tells how the groups thin out.
    """
    shown = [(series, risk) for series, risk in shown if risk.n]
    if not shown:
        return None
    last = max(5 * k, 25)
    highest = max(risk.below(last) / risk.n for _, risk in shown)
    x = LogScale(2, last, LEFT, RIGHT)
    y = LinearScale(0, highest * 1.08 or 1, BOTTOM, TOP)
    limit = Markup('<path class="limit" d="M{},{}V{}"/>').format(tidy(x(k)), TOP, BOTTOM)
    on_the_right = k * 4 > last
    label = text(
        x(k) + (-6 if on_the_right else 6), TOP + 13, f"k = {count(k)}", "note", "end" if on_the_right else "start"
    )
    marks = [limit + label]
    for (kind, _), risk in shown:
        marks.append(Markup('<path class="curve {}" d="{}"/>').format(kind, _steps(risk, x, y, last)))
        marks.append(_point(kind, x(k), y(risk.below(k) / risk.n)))
    about = " ".join(
        f"{series[1].capitalize()}: {share(risk.below(k) / risk.n)} of the {members} are in {groups} of fewer than "
        f"{count(k)}, {share(risk.below(last) / risk.n)} in {groups} of fewer than {count(last)}."
        for series, risk in shown
    )
    return Chart(
        "risk",
        f"How many {members} are exposed, for every k",
        about,
        (f"k (required size of {groups})", f"share of {members} in {groups} of fewer than k"),
        marks,
        [(x(value), tick(value)) for value in x.ticks()],
        [(y(value), share(value)) for value in y.ticks()],
        "line",
        tuple(series for series, _ in shown),
        "k",
        _table(shown, k, last),
    )


def _steps(risk: StepRisk, x: LogScale, y: LinearScale, last: int) -> str:
    path = f"M{tidy(x(2))},{tidy(y(risk.below(2) / risk.n))}"
    for value, below in zip(risk.curve_k.tolist(), risk.curve_below.tolist(), strict=True):
        if 2 < value <= last:
            path += f"H{tidy(x(value))}V{tidy(y(below / risk.n))}"
    return f"{path}H{tidy(x(last))}"


def _point(kind: str, x: float, y: float) -> Markup:
    if kind == "before":
        return Markup('<circle class="dot before" cx="{}" cy="{}" r="5"/>').format(tidy(x), tidy(y))
    return Markup('<path class="dot after" d="M{},{}m0-5l5,5l-5,5l-5-5z"/>').format(tidy(x), tidy(y))


def _table(shown: Sequence[tuple[Series, StepRisk]], k: int, last: int) -> tuple[Row, ...]:
    sizes = sorted({size for size in (2, 3, 5, 10, 20, 50, 100, k, 2 * k, last) if size <= last})
    return tuple(
        [count(size), *(f"{count(risk.below(size))} ({share(risk.below(size) / risk.n)})" for _, risk in shown)]
        for size in sizes
    )
