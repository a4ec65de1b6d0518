"""The tables of auditor/access, made anew from Unicode data that packages ship.

    python -m tests.support.unicode_tables

`confusable-homoglyphs` has confusables.txt of UTS #39, `fonttools` has Scripts.txt. Both are Unicode's data files in
another form; docs/licences.md says under which terms.
"""

from __future__ import annotations

import json
import unicodedata
from collections import defaultdict
from importlib.resources import files
from pathlib import Path

from auditor.access import _letters

__all__ = ["confusables_text", "scripts_text"]

FOLDER = Path(_letters.__file__).parent

# the recommended scripts of UAX #31, table 5
SCRIPTS = (
    *("Arab", "Armn", "Beng", "Bopo", "Cyrl", "Deva", "Ethi", "Geor", "Grek", "Gujr", "Guru", "Hang", "Hani", "Hebr"),
    *("Hira", "Kana", "Khmr", "Knda", "Laoo", "Latn", "Mlym", "Mymr", "Orya", "Sinh", "Taml", "Telu", "Thaa", "Thai"),
    "Tibt",
)


def scripts_text() -> str:
    """Return for each script the ranges of its letters and marks, as hexadecimal numbers."""
    from fontTools.unicodedata import Scripts

    found: dict[str, list[tuple[int, int]]] = defaultdict(list)
    ends = [*Scripts.RANGES[1:], 0x110000]
    for start, end, script in zip(Scripts.RANGES, ends, Scripts.VALUES, strict=True):
        if script not in SCRIPTS:
            continue
        for code in range(start, end):
            letter = chr(code)
            if unicodedata.category(letter)[0] in "LM" and not _letters.is_ignorable(letter):
                spans = found[script]
                if spans and spans[-1][1] == code - 1:
                    spans[-1] = spans[-1][0], code
                else:
                    spans.append((code, code))
    return "".join(
        f"{script}\t{' '.join(f'{a:x}' if a == b else f'{a:x}-{b:x}' for a, b in found[script])}\n"
        for script in SCRIPTS
    )


def confusables_text() -> str:
    """Return for each prototype of UTS #39 the characters that look like it; those that NFKC changes are left out."""
    text = files("confusable_homoglyphs").joinpath("confusables.json").read_text(encoding="utf-8")
    # what is written from right to left has marks of direction around it
    pairs = {_bare(one): [_bare(other["c"]) for other in others] for one, others in json.loads(text).items()}
    # a prototype is next to all that look like it, and each of these to nothing else; of two either may be it
    mapping: dict[str, str] = {}
    for one, others in pairs.items():
        for other in others:
            if len(one) == 1 and one != other and _rank(other, pairs) > _rank(one, pairs):
                mapping[one] = other
    for one in mapping:
        while (further := "".join(mapping.get(letter, letter) for letter in mapping[one])) != mapping[one]:
            mapping[one] = further
    by_prototype: dict[str, list[str]] = defaultdict(list)
    for one, prototype in sorted(mapping.items()):
        if unicodedata.normalize("NFKC", one) == one:
            by_prototype[unicodedata.normalize("NFD", prototype)].append(one)
    return "".join(
        f"{_codes(prototype)}\t{_codes(''.join(same))}\n" for prototype, same in sorted(by_prototype.items())
    )


def _bare(text: str) -> str:
    return text.replace("\u200e", "")


def _rank(text: str, pairs: dict[str, list[str]]) -> tuple[bool, int, str]:
    return len(text) > 1, len(pairs.get(text, ())), text


def _codes(text: str) -> str:
    return " ".join(f"{ord(letter):x}" for letter in text)


if __name__ == "__main__":
    (FOLDER / "scripts.tsv").write_text(scripts_text(), encoding="ascii")
    (FOLDER / "confusables.tsv").write_text(confusables_text(), encoding="ascii")
