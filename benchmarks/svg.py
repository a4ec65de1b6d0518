"""A drawing as text: the same bytes for the same figures, on every machine and with every version of a library."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape

WIDTH = 640
"""Of every drawing: text of 13 units stays readable on a phone and is not huge on a screen."""

# the colours of Okabe and Ito, which people who see fewer colours tell apart; a shape says the same as a colour
_STYLE = """\
svg { --ink: #222; --faint: #bbb; --paper: #fff; --good: #0072b2; --bad: #d55e00;
      --s0: #08519c; --s1: #4292c6; --s2: #9ecae1; --s3: #fdd49e; --s4: #fc8d59; }
@media (prefers-color-scheme: dark) {
  svg { --ink: #ddd; --faint: #555; --paper: #1e2129; --good: #56b4e9; --bad: #e69f00; }
}
text { font: 13px system-ui, sans-serif; fill: var(--ink); }
.paper { fill: var(--paper); }
.line { stroke: var(--faint); stroke-width: 1; }
.bar { stroke: var(--ink); stroke-width: 1.5; stroke-dasharray: 4 3; }
.good { fill: var(--good); }
.open { fill: none; stroke: var(--good); stroke-width: 1.5; }
.bad { fill: var(--bad); }
.s0 { fill: var(--s0); } .s1 { fill: var(--s1); } .s2 { fill: var(--s2); }
.s3 { fill: var(--s3); } .s4 { fill: var(--s4); }
.light { font-size: 11px; fill: #fff; } .dark { font-size: 11px; fill: #222; }
.small { font-size: 11px; }"""


@dataclass(slots=True)
class Drawing:
    """Shapes on a sheet, in the order in which they were added.

    Examples
    --------
    >>> drawing = Drawing("A picture of one dot", 40)
    >>> drawing.dot(10, 20, "good", title="a < b")
    >>> drawing.text_of().splitlines()[-2]
    '<circle cx="10.0" cy="20.0" r="3.5" class="good"><title>a &lt; b</title></circle>'
    """

    label: str
    """What the picture shows, for those who do not see it."""
    height: float
    _shapes: list[str] = field(default_factory=list)

    def text(self, x: float, y: float, words: str, *, anchor: str = "start", kind: str = "") -> None:
        """Add words; `anchor` is start, middle or end."""
        of = f' class="{kind}"' if kind else ""
        self._shapes.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{of}>{escape(words)}</text>')

    def line(self, x: float, y: float, to_x: float, to_y: float, kind: str = "line") -> None:
        """Add a straight line."""
        self._shapes.append(f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" class="{kind}"/>')

    def dot(self, x: float, y: float, kind: str, *, title: str) -> None:
        """Add a disk, with a text for the pointer."""
        inner = f"<title>{escape(title)}</title>"
        self._shapes.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" class="{kind}">{inner}</circle>')

    def diamond(self, x: float, y: float, kind: str, *, title: str) -> None:
        """Add a diamond, with a text for the pointer."""
        path = f"M{x:.1f} {y - 5:.1f}l5 5l-5 5l-5 -5z"
        self._shapes.append(f'<path d="{path}" class="{kind}"><title>{escape(title)}</title></path>')

    def box(self, x: float, y: float, width: float, height: float, kind: str, *, title: str = "") -> None:
        """Add a rectangle."""
        inner = f"><title>{escape(title)}</title></rect>" if title else "/>"
        size = f'width="{width:.1f}" height="{height:.1f}"'
        self._shapes.append(f'<rect x="{x:.1f}" y="{y:.1f}" {size} rx="2" class="{kind}"{inner}')

    def text_of(self) -> str:
        """Return the drawing as an SVG file."""
        size = f'viewBox="0 0 {WIDTH} {self.height:.0f}" width="{WIDTH}" height="{self.height:.0f}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{escape(self.label)}">'
        paper = f'<rect width="{WIDTH}" height="{self.height:.0f}" class="paper"/>'
        return "\n".join([head, f"<style>\n{_STYLE}\n</style>", paper, *self._shapes, "</svg>"]) + "\n"
