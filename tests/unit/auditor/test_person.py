"""Whose name is whose: what nobody sees, and what looks alike, makes no second person."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.access import _letters
from auditor.access.person import check_person, is_one_of, is_same_person, person_key
from auditor.core.errors import BadInput

# fillers, blanks that are symbols, selectors, joiners, tags, letters of scripts that nobody here writes
UNSEEN = (
    *(0x3164, 0x2800, 0xFE0F, 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180E, 0xE0100, 0xFFA0, 0x00AD, 0x200B),
    *(0x200D, 0x2060, 0x2061, 0xFEFF, 0x061C, 0xE0001, 0x1D159, 0x16FE4, 0x1BCA0, 0x00A0, 0x3000, 0x2003),
)


@pytest.mark.parametrize("code", UNSEEN, ids=hex)
@pytest.mark.parametrize("form", ["ann{}", "{}ann", "a{}nn"])
def test_what_nobody_sees_makes_no_other_person(code: int, form: str) -> None:
    name = form.format(chr(code))
    assert is_same_person(name, "ann")
    if not chr(code).isspace():
        assert person_key(name) == "ann"
    with pytest.raises(BadInput, match=rf"U\+{code:04X}"):
        check_person(name, "the name")


def test_no_letter_that_is_allowed_is_one_that_nobody_sees() -> None:
    for code in range(0x80, 0x110000):
        letter = chr(code)
        if unicodedata.normalize("NFC", letter) != letter:
            continue
        try:
            check_person(f"x{letter}" if unicodedata.category(letter).startswith("M") else letter, "it")
        except BadInput:
            continue
        assert not _letters.is_ignorable(letter), hex(code)
        assert unicodedata.category(letter)[0] in "LM" or letter in "\u2019\u2013\u00b7", hex(code)
        assert letter in "\u2019\u2013\u00b7" or not is_same_person(f"a{letter}b", "ab"), hex(code)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("ann", "\u0430nn"),  # Cyrillic a
        ("ace", "\u0430\u0441\u0435"),  # all of it Cyrillic
        ("Oscar", "\u039fscar"),  # Greek O
        ("Alan", "AIan"),
        ("Army", "Arrny"),
        ("bob", "b0b"),
        ("ann", "\U0001d41ann"),  # mathematical
        ("Ann", "\u13aann"),  # Cherokee
        ("O'Neil", "O\u2019Neil"),
        ("ann lee", "ann\u2010lee"),
        ("Zoe\u0308", "ZO\u00cb"),
        ("\u05d0\u05d1\u05d9", "\u05d0\u05d1'"),  # yod
        ("a|ice", "Alice"),
    ],
)
def test_what_looks_alike_is_one_person(first: str, second: str) -> None:
    assert is_same_person(first, second)
    assert is_same_person(second, first)


@pytest.mark.parametrize(("first", "second"), [("ann", "anna"), ("Ian", "Lan"), ("Zoe", "Zoë"), ("bob", "rob")])
def test_what_can_be_told_apart_are_two(first: str, second: str) -> None:
    assert not is_same_person(first, second)


def test_to_have_something_of_ones_own_looking_alike_is_not_enough() -> None:
    assert is_one_of(" ANN", "bob", "ann")
    assert not is_one_of("\u0430nn", "ann")


@pytest.mark.parametrize(
    "name",
    [
        "",
        "José",
        "Nguyễn",
        "Zoe\u0308",
        "Ζωή",
        "Анна",
        "माया",
        "محمد",
        "אבי",
        "王小明",
        "田中 Tanaka",
        "김 Kim",
        "R2-D2",
    ],
)
def test_names_are_names(name: str) -> None:
    check_person(name, "the name")


@pytest.mark.parametrize(
    "name", ["\u0430nn", "Annа", "אann", "Z\u0300\u0301\u0302\u0303oe", "a\u0300\u0300b", "\u0300a", "1\u0300"]
)
def test_what_mixes_scripts_or_piles_up_marks_is_refused(name: str) -> None:
    with pytest.raises(BadInput):
        check_person(name, "the name")


@given(st.text(max_size=20), st.text(max_size=20))
def test_two_that_are_allowed_and_differ_in_letters_only_nobody_sees_do_not_exist(first: str, second: str) -> None:
    assert is_same_person(first, first)
    assert is_same_person(first, second) == is_same_person(second, first)
    if person_key(first) == person_key(second):
        assert is_same_person(first, second)


def test_the_tables_are_those_of_unicode() -> None:
    pytest.importorskip("confusable_homoglyphs", reason="confusable-homoglyphs has the data of UTS #39")
    from tests.support.unicode_tables import FOLDER, confusables_text

    assert (FOLDER / "confusables.tsv").read_text(encoding="ascii") == confusables_text()


def test_every_letter_of_the_table_of_scripts_is_of_its_script() -> None:
    unicode = pytest.importorskip("fontTools.unicodedata")
    for first, last, script in _letters._scripts():
        assert {unicode.script(chr(code)) for code in range(first, last + 1)} == {script}
