"""What share of the vertices each knowledge singles out."""

from collections.abc import Mapping, Sequence

from auditor.reports.charts.axes import LinearScale
from auditor.reports.charts.drawing import BOTTOM, TOP, Chart, Series, grouped_bars
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
    names, legend = list(given[0]), tuple(series[: len(given)])
    shares = [[risks[name].share_below(k) for name in names] for risks in given]
    y = LinearScale(0, max(0.01, *map(max, shares)) * 1.12, BOTTOM, TOP)
    centres, bars = grouped_bars(legend, shares, y, _percent, fill=0.85)
    return Chart(
        "knowledge-shares",
        "What more knowledge singles out",
        " ".join(_described(name, risks, k) for (_, name), risks in zip(legend, given, strict=True)),
        ("what is known of a person", f"share of vertices with fewer than {count(k)} candidates, %"),
        bars,
        [(centre, _BROKEN.get(name, name)) for centre, name in zip(centres, names, strict=True)],
        [(y(value), share(value)) for value in y.ticks()],
        "bar",
        legend,
        "what is known",
        tuple([name, *(share(values[i]) for values in shares)] for i, name in enumerate(names)),
        x_grid=False,
    )


def _percent(value: float) -> str:
    """Return whole percents, never 0 or 100 where it is not: two bars' labels stand side by side."""
    if 0 < value < 0.01:
        return "<1"
    return ">99" if 0.995 <= value < 1 else f"{100 * value:.0f}"


def _described(name: str, risks: Mapping[str, CandidateRisk], k: int) -> str:
    parts = ", ".join(f"{known} {share(risk.share_below(k))}" for known, risk in risks.items())
    return f"{name.capitalize()}: {parts}."
