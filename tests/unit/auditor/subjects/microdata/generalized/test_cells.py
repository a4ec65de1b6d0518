"""Generalized values as text and back: nothing is lost, and nothing means two things."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.subjects.microdata.exports.generalized.cells import read_cells, written_cells
from auditor.subjects.microdata.exports.generalized.domains import Domain
from graphkit.microdata.generalization.extents import extents_of, joined, layout_of

TEXTS = st.text(alphabet="ab{}|\\N.,\n ", max_size=4)


@st.composite
def sets(draw: st.DrawFn) -> Domain:
    values = draw(st.lists(st.one_of(st.none(), TEXTS), min_size=1, max_size=130, unique=True))
    return Domain("a", tuple(values))


@settings(deadline=None)
@given(sets(), st.data())
def test_sets_come_back_and_different_ones_differ(domain: Domain, data: st.DataObject) -> None:
    size = len(domain.values)
    covered = data.draw(st.lists(st.lists(st.integers(0, size - 1), min_size=3, max_size=3), min_size=1, max_size=6))
    layout = layout_of([domain.attribute])
    codes = np.arange(size)[:, None]
    extents = np.concatenate([extents_of(layout, codes), joined(layout, codes, np.array(covered))])
    cells = written_cells(domain, extents)
    back = read_cells(domain, cells)
    assert back is not None
    assert np.array_equal(back, extents)
    assert len(set(cells)) == len(np.unique(extents, axis=0))
    assert (None in cells) == any(domain.values[code] is None for code in range(size))


def test_ranges_and_groups_come_back() -> None:
    ages = Domain("age", ("-2", "0.5", "3"), numbers=np.array([-2, 0.5, 3]))
    extents = np.array([[0, 0], [0, 2], [1, 2]])
    assert written_cells(ages, extents) == ["-2", "-2..3", "0.5..3"]
    pets = Domain("pet", ("cat", "dog", None), labels=("cat", "dog", None, "*"), parents=(3, 3, 3, 3))
    nodes = np.array([[0], [2], [3]])
    assert written_cells(pets, nodes) == ["cat", None, "*"]
    asked = Domain("age", (None, "20", "30"), numbers=np.array([np.nan, 20, 30]))
    ends = np.array([[0, 0], [0, 1], [0, 2], [1, 2]])
    assert written_cells(asked, ends) == [None, r"\N..20", r"\N..30", "20..30"]
    for domain, held in ((ages, extents), (pets, nodes), (asked, ends)):
        back = read_cells(domain, written_cells(domain, held))
        assert back is not None
        assert np.array_equal(back, held)


def test_text_that_stands_for_nothing_is_told() -> None:
    ages = Domain("age", ("1", "3"), numbers=np.array([1.0, 3]))
    assert read_cells(ages, ["1..2"]) is None
    assert read_cells(ages, [None]) is None
    assert read_cells(ages, [r"\N..3"]) is None
    assert read_cells(Domain("a", ("x", "y")), ["{x|z}"]) is None
    assert read_cells(Domain("p", ("x",), labels=("x",), parents=(0,)), ["y"]) is None
