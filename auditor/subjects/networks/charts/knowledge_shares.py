"""What share of the vertices each knowledge singles out."""

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from auditor.reports.charts.axes import LinearScale
from auditor.reports.charts.drawing import BOTTOM, LEFT, RIGHT, TOP, Chart, Row, Series, bar, frame
from graphkit.networks.risk.candidates import CandidateRisk
from graphkit.numbers import count, share

_BROKEN = {"ego-size": "ego-\nsize", "neighbours": "neigh-\nbours", "iterated": "iter-\nated"}


def knowledge_shares_chart(
    series: Sequence[Series], given: Sequence[Mapping[str, CandidateRisk]], k: int
) -> Chart | None:
    """Return the share of vertices with fewer than k candidates, bars for each knowledge; None without vertices.

    Parameters
    ----------
    series : sequence of Series
        Names of the networks.
    given : sequence of mapping of str to CandidateRisk
        The risk of each network under each knowledge.
    k : int
        Required number of candidates.

    Notes
    -----
    The bars of the original are filled with the hatching that the chart of block sizes on the same page defines.
    """
    if not given or not any(risk.n for risk in given[0].values()):
        return None
    shown = list(zip(series, given, strict=False))
    names = list(given[0])
    shares = [[risks[name].share_below(k) for name in names] for _, risks in shown]
    y = LinearScale(0, max(0.01, *map(max, shares)) * 1.12, BOTTOM, TOP)
    group = (RIGHT - LEFT) / len(names)
    centres = [LEFT + group * (i + 0.5) for i in range(len(names))]
    width = min(28.0, group * 0.85 / len(shown))
    marks: list[Markup] = []
    for j, (((kind, _), _), values) in enumerate(zip(shown, shares, strict=True)):
        for centre, value in zip(centres, values, strict=True):
            marks.append(bar(kind, centre + (j - len(shown) / 2) * width, width - 2, y(value), _percent(value)))
    title = "What more knowledge singles out"
    about = " ".join(_described(name, risks, k) for (_, name), risks in shown)
    svg = frame(
        "knowledge-shares",
        title,
        about,
        ("what is known of a person", f"share of vertices with fewer than {count(k)} candidates, %"),
        marks,
        [(centre, _BROKEN.get(name, name)) for centre, name in zip(centres, names, strict=True)],
        y,
        [(value, share(value)) for value in y.ticks()],
        x_grid=False,
    )
    rows: tuple[Row, ...] = tuple([name, *(share(values[i]) for values in shares)] for i, name in enumerate(names))
    legend = tuple(one for one, _ in shown)
    return Chart(title, about, svg, "bar", legend, ("what is known", *(name for _, name in legend)), rows)


def _percent(value: float) -> str:
    """Return whole percents, never 0 or 100 where it is not: two bars' labels stand side by side."""
    if 0 < value < 0.01:
        return "<1"
    return ">99" if 0.995 <= value < 1 else f"{100 * value:.0f}"


def _described(name: str, risks: Mapping[str, CandidateRisk], k: int) -> str:
    parts = ", ".join(f"{known} {share(risk.share_below(k))}" for known, risk in risks.items())
    return f"{name.capitalize()}: {parts}."
