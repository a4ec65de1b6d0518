"""A sample of a network before and after, drawn without any label. Protected: for internal editions alone."""

from dataclasses import dataclass

from markupsafe import Markup

from auditor.reports.charts.drawing import tidy
from graphkit.arrays import Ints
from graphkit.networks.utility.change_sample import ChangeSample
from graphkit.numbers import count, counted

_SIDE, _MARGIN = 400, 14


@dataclass(frozen=True, slots=True)
class NetworkPicture:
    """Two drawings of the same vertices in the same places, and what is to be seen in them."""

    panels: tuple[tuple[str, Markup], ...]
    """Title and SVG of each."""
    about: str
    legend: tuple[tuple[str, str], ...]
    """Classes of marks, each with its meaning."""


def draw_before_and_after(sample: ChangeSample) -> NetworkPicture:
    """Return the pictures of a sample."""
    drawn, changed = len(sample.vertices), int(sample.touched.sum())
    whole = "all" if drawn == sample.n else f"{count(drawn)} of {count(sample.n)}"
    about = f"A sample without labels: {whole} vertices; {count(changed)} of them have an edge that changed."
    ties = counted(len(sample.kept) + len(sample.removed), "edge", "edges")
    before = f"{about} {ties} of the original are among them."
    after = f"{about} {counted(len(sample.added), 'added edge', 'added edges')} among them"
    after += f", and {counted(len(sample.removed), 'removed edge', 'removed edges')}." if len(sample.removed) else "."
    legend = [("tie", "edge of the original"), ("tie added", "added edge")]
    if len(sample.removed):
        legend.append(("tie gone", "removed edge"))
    legend += [("vertex touched", "an edge of the vertex changed"), ("vertex", "no edge of the vertex changed")]
    panels = (
        ("Before", _panel("before", "The original", before, sample, [("tie", sample.kept), ("tie", sample.removed)])),
        ("After", _panel("after", "The release", after, sample, [
            ("tie", sample.kept), ("tie gone", sample.removed), ("tie added", sample.added),
        ])),
    )  # fmt: skip
    return NetworkPicture(panels, about, tuple(legend))


def _panel(name: str, title: str, about: str, sample: ChangeSample, layers: list[tuple[str, Ints]]) -> Markup:
    places = _MARGIN + sample.places * (_SIDE - 2 * _MARGIN)
    words = [[tidy(x), tidy(y)] for x, y in places.tolist()]
    head = Markup(
        '<svg class="net" role="img" viewBox="0 0 {0} {0}" aria-labelledby="net-{1}-t net-{1}-d">'
        '<title id="net-{1}-t">{2}</title><desc id="net-{1}-d">{3}</desc>'
    ).format(_SIDE, name, title, about)
    lines = [
        Markup('<path class="{}" d="{}"/>').format(kind, "".join(_line(words[a], words[b]) for a, b in edges.tolist()))
        for kind, edges in layers
        if len(edges)
    ]
    dots = [
        Markup('<circle class="{}" cx="{}" cy="{}" r="{}"/>').format(
            "vertex touched" if touched else "vertex", x, y, "5" if touched else "3.5"
        )
        for (x, y), touched in zip(words, sample.touched.tolist(), strict=True)
    ]
    return Markup("").join([head, *lines, *dots, Markup("</svg>")])


def _line(start: list[str], end: list[str]) -> str:
    return f"M{start[0]} {start[1]}L{end[0]} {end[1]}"
