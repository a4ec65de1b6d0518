"""Releases held together, against sets of candidates that are intersected one by one."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graphkit.arrays import Ints
from graphkit.microdata.risk.together import restricted, shared_sizes


def candidates(release: Ints, record: int) -> set[int]:
    if release.ndim == 1:
        return {other for other in range(release.size) if release[other] == release[record]}
    return {int(other) for other in release[record] if other >= 0}


@st.composite
def told(draw: st.DrawFn, n: int) -> Ints:
    if draw(st.booleans()):
        return np.array(draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)), dtype=np.int64)
    rows = [[own, *draw(st.permutations([other for other in range(n) if other != own]))[:2]] for own in range(n)]
    lists = np.array(rows, dtype=np.int64)
    if draw(st.booleans()):
        lists[draw(st.integers(0, n - 1)), -1] = -1
    return lists


@st.composite
def several(draw: st.DrawFn) -> list[Ints]:
    n = draw(st.integers(3, 6))
    return [draw(told(n)) for _ in range(draw(st.integers(1, 3)))]


@given(several())
def test_sizes_are_those_of_intersections_seen_from_both_sides(releases: list[Ints]) -> None:
    n = releases[0].shape[0]
    left = [set.intersection(*(candidates(release, record) for release in releases)) for record in range(n)]
    sizes = [min(len(left[record]), sum(record in other for other in left)) for record in range(n)]
    assert shared_sizes(releases).tolist() == sizes


@given(several(), st.data())
def test_what_is_told_of_some_records_is_about_them_alone(releases: list[Ints], data: st.DataObject) -> None:
    release = releases[0]
    some = data.draw(st.lists(st.integers(0, release.shape[0] - 1), min_size=1, unique=True))
    found = restricted(release, np.array(some))
    for place, record in enumerate(some):
        expected = {some.index(other) for other in candidates(release, record) if other in some}
        assert candidates(found, place) == expected


@st.composite
def leaving_out(draw: st.DrawFn) -> list[Ints]:
    releases = draw(several())
    for release in releases:
        if release.ndim > 1:
            gone = draw(st.sets(st.integers(0, len(release) - 1), max_size=2))
            release[list(gone)] = -1
            release[np.isin(release, list(gone))] = -1
    return releases


@given(leaving_out())
def test_those_left_out_of_a_release_hide_among_each_other(releases: list[Ints]) -> None:
    n = releases[0].shape[0]

    def among(release: Ints, record: int) -> set[int]:
        if release.ndim > 1 and not candidates(release, record):
            return {other for other in range(n) if not candidates(release, other)}
        return candidates(release, record)

    left = [set.intersection(*(among(release, record) for release in releases)) for record in range(n)]
    sizes = [min(len(left[record]), sum(record in other for other in left)) for record in range(n)]
    for record in range(n):
        if all(release.ndim > 1 and not candidates(release, record) for release in releases):
            sizes[record] = n
    assert shared_sizes(releases).tolist() == sizes
