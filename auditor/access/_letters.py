"""Letters as Unicode sees them: which script one is of, what it looks like, whether anybody sees it.

The tables are parts of Unicode's data: Scripts.txt for the scripts that UAX #31 recommends for names, and
confusables.txt of UTS #39.
"""

import unicodedata
from bisect import bisect_right
from functools import cache
from operator import itemgetter
from pathlib import Path

_HERE = Path(__file__).parent

# Default_Ignorable_Code_Point of DerivedCoreProperties.txt: nothing is drawn for them
_IGNORABLE = (
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)


def is_ignorable(letter: str) -> bool:
    """Whether nothing is drawn for a letter, such as the filler of Hangul.

    Examples
    --------
    >>> is_ignorable("\\u3164"), is_ignorable("\\ufe0f"), is_ignorable("a")
    (True, True, False)
    """
    return any(first <= ord(letter) <= last for first, last in _IGNORABLE)


def script_of(letter: str) -> str | None:
    """Return the script of a letter or mark, None if it is of none that names are written in.

    Examples
    --------
    >>> script_of("a"), script_of("\\u0430"), script_of("\\u3164"), script_of("\\u2800")
    ('Latn', 'Cyrl', None, None)
    """
    spans, code = _scripts(), ord(letter)
    first, last, script = spans[max(bisect_right(spans, code, key=itemgetter(0)) - 1, 0)]
    return script if first <= code <= last else None


def skeleton(text: str) -> str:
    """Return what two texts that look alike have in common (UTS #39, section 4).

    Examples
    --------
    >>> skeleton("\\u0430nn"), skeleton("Army"), skeleton("Zo\\u00eb") == skeleton("Zoe")
    ('ann', 'Arrny', False)
    """
    prototypes = _prototypes()
    taken = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFD", "".join(prototypes.get(letter, letter) for letter in taken))


@cache
def _scripts() -> tuple[tuple[int, int, str], ...]:
    """Return spans of letters and their scripts, by their first letters; no two spans have a letter in common."""
    found = []
    for line in (_HERE / "scripts.tsv").read_text(encoding="ascii").splitlines():
        script, spans = line.split("\t")
        for span in spans.split():
            first, _, last = span.partition("-")
            found.append((int(first, 16), int(last or first, 16), script))
    return tuple(sorted(found))


@cache
def _prototypes() -> dict[str, str]:
    found = {}
    for line in (_HERE / "confusables.tsv").read_text(encoding="ascii").splitlines():
        prototype, same = ("".join(chr(int(code, 16)) for code in part.split()) for part in line.split("\t"))
        found.update(dict.fromkeys(same, prototype))
    return found
