"""Numbers are written one way, by graphkit.numbers, wherever people read them."""

from __future__ import annotations

import re
from pathlib import Path

from graphkit.numbers import count, counted, figure, share

ROOT = Path(__file__).resolve().parents[2]
# thousands, significant digits and percentages; what is left are seconds, places on a drawing, and times
FORMAT = re.compile(r"\{[^{}\"]*:[^{}\"]*(,|\.[0-9]+[g%e]|%)\}")
ROUNDED = re.compile(r"float\(f\"[^\"]*\"\)")


def formats_of(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if FORMAT.search(ROUNDED.sub("", line))]


def test_no_other_module_formats_numbers() -> None:
    modules = [path for package in ("cli", "auditor") for path in sorted((ROOT / package).rglob("*.py"))]
    found = {str(path.relative_to(ROOT)): formats_of(path.read_text(encoding="utf-8")) for path in modules}
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_another_way_is_seen() -> None:
    assert formats_of('f"{n:,} edges"')
    assert formats_of('f"{100 * gap:.3g} %"')
    assert formats_of('f"{share:.2%}"')
    assert not formats_of('f"{seconds:.2f} s at {at:%Y-%m-%d}"')


def test_one_way() -> None:
    assert (count(14484), counted(2, "edge", "edges"), figure(0.52963), share(0.0595)) == (
        "14,484",
        "2 edges",
        "0.5296",
        "5.95\N{NO-BREAK SPACE}%",
    )
