"""A picture that is a file of its own: SVG with its style, its text as text, and words for those who do not see it."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from markupsafe import Markup

from auditor.core.errors import BadInput
from auditor.core.staging import check_destination
from auditor.reports.charts.drawing import tidy
from auditor.reports.names import readable

_STYLE = (
    "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','Liberation Sans',sans-serif;"
    "font-size:12px;fill:#1d2430}.title{font-size:17px;font-weight:600}.quiet{fill:#555e6d}"
    ".grid{stroke:#dcdfe5;stroke-width:1}"
)


def page(width: float, height: float, title: str, about: str, style: str, marks: Iterable[Markup]) -> str:
    """Return a whole picture on white ground.

    Parameters
    ----------
    width, height : float
    title, about : str
        What it is, written in its first line, and what is to be seen in it.
    style : str
        Rules of CSS for its classes.
    marks : iterable of Markup
        The drawing; the first 32 units of height belong to the title.
    """
    head = Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{0}" height="{1}" viewBox="0 0 {0} {1}" '
        'aria-labelledby="t d"><title id="t">{2}</title><desc id="d">{3}</desc><style>{4}</style>'
        '<rect width="{0}" height="{1}" fill="#ffffff"/><text class="title" x="16" y="26">{2}</text>'
    ).format(tidy(width), tidy(height), readable(title), readable(about), Markup(_STYLE + style))
    return str(Markup("\n").join([head, *marks, Markup("</svg>\n")]))


def label(x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> Markup:
    """Return words at a place."""
    return Markup('<text class="{}" x="{}" y="{}" text-anchor="{}">{}</text>').format(
        kind, tidy(x), tidy(y), anchor, readable(words)
    )


def hover(words: str, *marks: Markup) -> Markup:
    """Return marks that tell more to whoever points at them."""
    return Markup("<g><title>{}</title>{}</g>").format(readable(words), Markup("").join(marks))


def fitted(words: str, most: int) -> str:
    """Return words, cut to a number of characters.

    Examples
    --------
    >>> fitted("smoking", 7), fitted("smoking", 4)
    ('smoking', 'smo…')
    """
    return words if len(words) <= most else words[: max(most - 1, 1)] + "…"


def listed(items: Sequence[str], most: int) -> str:
    """Return items with ``and`` between them; where these are too many characters, the first and how many more.

    Examples
    --------
    >>> items = ["[sex, age]", "[age, ill]", "[sex, ill]"]
    >>> listed(items, 40), listed(items, 30), listed(items, 16)
    ('[sex, age] and [age, ill] and [sex, ill]', '[sex, age] and 2 more', '[sex… and 2 more')
    """
    for number in range(len(items), 0, -1):
        more = f" and {len(items) - number} more" if number < len(items) else ""
        words = " and ".join(items[:number]) + more
        if len(words) <= most:
            return words
    return fitted(items[0], most - len(more)) + more


def check_picture(path: Path | None, *, force: bool) -> None:
    """Refuse a place where a picture could not be written, before any work is done.

    Raises
    ------
    BadInput
        If the name does not end in ``.svg``, or as :func:`auditor.core.staging.check_destination`.
    """
    if path is None:
        return
    if path.suffix.lower() != ".svg":
        raise BadInput(f"a picture is written as SVG, and {path} has another ending; name it FILE.svg")
    check_destination(path, force=force)
