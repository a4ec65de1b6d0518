"""Pictures of tables: text is text, kinds differ without colour, nothing lies outside, no name breaks them."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from auditor.subjects.tables.charts.intervals import MOST_BARS, intervals_picture
from auditor.subjects.tables.charts.lattice import lattice_picture
from auditor.subjects.tables.releases.lattice import STATUSES
from graphkit.hierarchies.variable import Variable

SVG = "{http://www.w3.org/2000/svg}"
ODD = (
    "<b>",
    'a "quoted" & name',
    "\x1b[2J\x00",
    "Größe, cm",
    "ein sehr langer Name, der nicht in die Spalte passt",
    "\u202e",
)
VARIABLES = [Variable("sex", ("f", "m")), Variable("a<b & \x07", ODD), Variable("v", tuple("0123456789"))]


def texts(picture: str) -> list[str]:
    return ["".join(element.itertext()) for element in ET.fromstring(picture).iter(f"{SVG}text")]


def widest(picture: str) -> float:
    return max(float(x) for x in re.findall(r'<(?:text|rect)[^>]* x="([-0-9.]+)"', picture))


@given(data=st.data(), size=st.integers(1, 120), high=st.sampled_from([0, 1, 5, 300, 10**9]))
@settings(max_examples=40, deadline=None)
def test_intervals_are_drawn_within_the_picture(data: st.DataObject, size: int, high: int) -> None:
    lower = np.array(data.draw(st.lists(st.integers(0, high), min_size=size, max_size=size)))
    upper = lower + np.array(data.draw(st.lists(st.integers(0, high), min_size=size, max_size=size)))
    status = data.draw(st.lists(st.sampled_from(["sharp", "outer", "timeout"]), min_size=size, max_size=size))
    picture = intervals_picture("n", ["[sex]"], VARIABLES, np.arange(size), lower, upper, status)
    root = ET.fromstring(picture)
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    assert widest(picture) < width
    assert all(0 <= float(element.attrib["y"]) < height for element in root.iter(f"{SVG}text"))
    bars = root.findall(f"{SVG}g/{SVG}rect")
    exact = root.findall(f"{SVG}g/{SVG}path[@class='exact']")
    assert len(bars) + len(exact) == size
    assert len(exact) == int((lower == upper).sum())
    assert all(float(bar.attrib["x"]) + float(bar.attrib["width"]) <= width for bar in bars)


def test_the_narrowest_are_drawn_and_the_rest_is_counted() -> None:
    variables = [Variable("v", tuple(map(str, range(500))))]
    upper = np.arange(500)[::-1] + 1
    picture = intervals_picture(
        "n", ["[v]"], variables, np.arange(500), np.zeros(500, dtype=np.int64), upper, ["sharp"] * 500
    )
    assert len(ET.fromstring(picture).findall(f"{SVG}g/{SVG}rect")) == MOST_BARS
    assert any("the 200 narrowest of 500 cells" in text for text in texts(picture))
    assert "v=499: 0–1" in picture
    assert "v=0: " not in picture


def test_kinds_of_bounds_differ_without_colour_and_are_named() -> None:
    lower, upper = np.array([1, 0, 0, 2]), np.array([1, 5, 6, 9])
    picture = intervals_picture(
        "n", ["x"], VARIABLES, np.arange(4), lower, upper, ["sharp", "sharp", "outer", "timeout"]
    )
    assert {"exactly determined", "sharp: both ends are possible", "= 1", "0–5"} <= set(texts(picture))
    style = re.search(r"<style>(.*?)</style>", picture)
    assert style
    looks = {kind: re.search(rf"\.{kind}\{{(.*?)\}}", style[1]) for kind in ("sharp", "outer", "timeout")}
    assert len({re.sub("#[0-9a-f]+", "", look[1]) for look in looks.values() if look}) == 3


def test_many_marginals_are_counted_below_the_title_and_told_in_full() -> None:
    given = [f"[variable {i}, another variable]" for i in range(20)]
    picture = intervals_picture(
        "n", given, VARIABLES, np.arange(2), np.zeros(2, dtype=np.int64), np.ones(2, dtype=np.int64), ["sharp"] * 2
    )
    subtitle = next(text for text in texts(picture) if text.startswith("from "))
    assert re.fullmatch(r"from \[variable 0, another variable\] and .* and 1\d more", subtitle)
    assert " and ".join(given) in picture


@pytest.mark.parametrize("name", ODD)
def test_any_name_can_be_drawn(name: str) -> None:
    variables = [Variable(name, ODD)]
    picture = intervals_picture(
        name, [name], variables, np.arange(6), np.zeros(6, dtype=np.int64), np.arange(6), ["outer"] * 6
    )
    ET.fromstring(picture)
    assert all(character.isprintable() or character == "\n" for character in picture)


def statuses_of(k: int) -> NDArray[np.int8]:
    return np.random.default_rng(k).integers(0, len(STATUSES), 1 << k).astype(np.int8)


def drawn(k: int, names: list[str] | None = None) -> ET.Element:
    chosen = names or [f"variable {i}" for i in range(k)]
    return ET.fromstring(lattice_picture("survey", "a remark", chosen, STATUSES, statuses_of(k)))


def titles(root: ET.Element) -> list[str]:
    return [element[0].text or "" for element in root.findall(f"{SVG}g")]


@pytest.mark.parametrize("k", range(1, 7))
def test_every_marginal_of_few_variables_has_a_box_with_its_name(k: int) -> None:
    root = drawn(k, list("ABCDEF"[:k]))
    boxes = root.findall(f"{SVG}g/{SVG}rect")
    assert len(boxes) == 1 << k
    assert len(root.findall(f"{SVG}path[@class='edge']")) == k * 2 ** (k - 1)
    inside = {"".join(text.itertext()) for text in root.findall(f"{SVG}g/{SVG}text")}
    assert {"total", "ABCDEF"[:k]} <= inside
    assert len(inside) == 1 << k
    kinds = {STATUSES[code] for code in statuses_of(k)}
    assert {(box.get("class") or "").removeprefix("box-") for box in boxes} == kinds
    # without colour: a mark of another shape in each box
    shapes = {
        path.get("class"): re.sub(r"^M[-0-9.,]+", "", path.get("d") or "") for path in root.findall(f"{SVG}g/{SVG}path")
    }
    assert set(shapes) == kinds
    assert len(set(shapes.values())) == len(kinds)
    spans = sorted((float(b.get("y", 0)), float(b.get("x", 0)), float(b.get("width", 0))) for b in boxes)
    for (y, x, width), (next_y, next_x, _) in pairwise(spans):
        assert next_y > y or next_x >= x + width
    assert all(x >= 0 and x + width <= float(root.attrib["width"]) for _, x, width in spans)


def test_long_names_are_letters_with_a_key() -> None:
    names = ["sex", "smoking", "strenuous mental work", "blood pressure <b>", "ratio", "anamnesis"]
    root = drawn(6, names)
    assert "C = strenuous mental work" in " ".join("".join(text.itertext()) for text in root.iter(f"{SVG}text"))
    assert any(title.startswith("sex, smoking, strenuous mental work: ") for title in titles(root))
    assert "sex, age" in {"".join(text.itertext()) for text in drawn(2, ["sex", "age"]).iter(f"{SVG}text")}


@pytest.mark.parametrize("k", [7, 12])
def test_more_marginals_are_marks_by_level(k: int) -> None:
    root = drawn(k)
    marks = root.findall(f"{SVG}g/{SVG}path")
    assert len(marks) == 1 << k
    assert len({path.get("d") for path in marks}) == 1 << k
    assert len(set(titles(root))) == 1 << k
    assert f"{k} variables" in {"".join(text.itertext()) for text in root.iter(f"{SVG}text")}


@pytest.mark.parametrize("k", [13, 16])
def test_very_many_are_bars_of_shares(k: int) -> None:
    picture = lattice_picture("survey", "a remark", [f"v{i}" for i in range(k)], STATUSES, statuses_of(k))
    assert len(picture) < 100_000
    root = ET.fromstring(picture)
    rows: dict[str, float] = {}
    for bar in root.findall(f"{SVG}g/{SVG}rect"):
        rows[bar.attrib["y"]] = rows.get(bar.attrib["y"], 0) + float(bar.attrib["width"])
    assert len(rows) == k + 1
    assert all(width == pytest.approx(700, abs=5) for width in rows.values())


def test_the_legend_counts_what_is_there_and_no_more() -> None:
    root = ET.fromstring(lattice_picture("n", "r", ["A", "B"], STATUSES, np.array([1, 0, 7, 6], dtype=np.int8)))
    shown = {"".join(text.itertext()) for text in root.findall(f"{SVG}text")}
    assert {"released 1", "implied 1", "undecided 1", "open 1"} <= shown
    assert not any(text.startswith(("refused", "releasable", "unreleasable")) for text in shown)


@pytest.mark.parametrize("name", ODD)
def test_any_name_can_stand_in_a_lattice(name: str) -> None:
    for k in (2, 8, 13):
        picture = lattice_picture(name, name, [name, *(f"{name}{i}" for i in range(1, k))], STATUSES, statuses_of(k))
        ET.fromstring(picture)
        assert all(character.isprintable() or character == "\n" for character in picture)
