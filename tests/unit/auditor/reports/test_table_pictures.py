"""Pictures of tables: text is text, kinds differ without colour, nothing lies outside, no name breaks them."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.reports.charts.table_intervals import MOST_BARS, intervals_picture
from graphkit.tables.variable import Variable

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
    picture = intervals_picture("n", "[sex]", VARIABLES, np.arange(size), lower, upper, status)
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
        "n", "[v]", variables, np.arange(500), np.zeros(500, dtype=np.int64), upper, ["sharp"] * 500
    )
    assert len(ET.fromstring(picture).findall(f"{SVG}g/{SVG}rect")) == MOST_BARS
    assert any("the 200 narrowest of 500 cells" in text for text in texts(picture))
    assert "v=499: 0–1" in picture
    assert "v=0: " not in picture


def test_kinds_of_bounds_differ_without_colour_and_are_named() -> None:
    lower, upper = np.array([1, 0, 0, 2]), np.array([1, 5, 6, 9])
    picture = intervals_picture("n", "x", VARIABLES, np.arange(4), lower, upper, ["sharp", "sharp", "outer", "timeout"])
    assert {"exactly determined", "sharp: both ends are possible", "= 1", "0–5"} <= set(texts(picture))
    style = re.search(r"<style>(.*?)</style>", picture)
    assert style
    looks = {kind: re.search(rf"\.{kind}\{{(.*?)\}}", style[1]) for kind in ("sharp", "outer", "timeout")}
    assert len({re.sub("#[0-9a-f]+", "", look[1]) for look in looks.values() if look}) == 3


@pytest.mark.parametrize("name", ODD)
def test_any_name_can_be_drawn(name: str) -> None:
    variables = [Variable(name, ODD)]
    picture = intervals_picture(
        name, name, variables, np.arange(6), np.zeros(6, dtype=np.int64), np.arange(6), ["outer"] * 6
    )
    ET.fromstring(picture)
    assert all(character.isprintable() or character == "\n" for character in picture)
