"""Rows that every whole choice of groups, levels and pairs meets, and fractional ones that cheat do not."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkit.arrays import Floats, Ints, Rng
from graphkit.networks.bounds.programs.whole_rows import Groups, LeaderRows, LevelRows, PartnerRows, Places, Row


class Columns:
    """All groups and places of some degrees, descending, and pairs of the first vertices."""

    def __init__(self, degrees: Ints, k: int, hubs: int) -> None:
        self.degrees, self.k, self.hubs = degrees, k, hubs
        self.levels = np.unique(degrees)[::-1]
        n = degrees.size
        self.upper = np.array(
            [
                (begin, end, level)
                for begin in range(n - k + 1)
                for end in range(begin + k, min(n, begin + 2 * k - 1) + 1)
                for level in range(self.levels.size)
            ]
        )
        self.ends = np.array([(v, level) for v in range(n) for level in range(self.levels.size)])
        self.ends = self.ends[self.levels[self.ends[:, 1]] >= degrees[self.ends[:, 0]]]
        self.groups = Groups(*self.upper.T, self.levels.size, k)
        demand = self.levels[self.ends[:, 1]] - degrees[self.ends[:, 0]]
        self.places = Places(self.ends[:, 0], demand, self.ends[:, 1], len(self.upper))
        self.first_pair = len(self.upper) + len(self.ends)
        self.pairs = np.full((hubs, hubs), -1)
        ends = np.triu_indices(hubs, 1)
        self.pairs[ends] = self.first_pair + np.arange(ends[0].size)
        self.pairs = np.maximum(self.pairs, self.pairs.T)
        self.size = self.first_pair + ends[0].size

    def whole(self, rng: Rng) -> Floats | None:
        """Draw levels with k or more each, cut them into groups, join some that are raised; None if none is left."""
        last = np.searchsorted(-self.levels, -self.degrees)
        level = np.array([rng.integers(most + 1) for most in last])
        for one in range(self.levels.size - 1, 0, -1):
            # whoever is on a level of too few goes up
            if 0 < np.count_nonzero(level == one) < self.k:
                level[level == one] -= 1
        counts = np.bincount(level, minlength=self.levels.size)
        if 0 < counts[0] < self.k:
            return None
        values = np.zeros(self.size)
        place = 0
        for one, count in enumerate(counts.tolist()):
            end = place + count
            while place < end:
                left = end - place
                size = left if left < 2 * self.k else int(rng.integers(self.k, min(2 * self.k - 1, left - self.k) + 1))
                values[self._column(self.upper, (place, place + size, one))] = 1
                place += size
        for v, one in enumerate(level.tolist()):
            values[self.places.first + self._column(self.ends, (v, one))] = 1
        demand = self.levels[level] - self.degrees
        raised = (demand[: self.hubs, None] > 0) & (demand[None, : self.hubs] > 0)
        met = np.zeros(self.hubs, dtype=np.int64)
        for u, v in np.argwhere(np.triu(raised & (self.pairs >= 0))):
            if met[u] < demand[u] and met[v] < demand[v] and rng.random() < 0.7:
                values[self.pairs[u, v]] = 1
                met[[u, v]] += 1
        return values

    @staticmethod
    def _column(rows: Ints, row: tuple[int, ...]) -> int:
        (found,) = np.flatnonzero((rows == row).all(axis=1))
        return int(found)

    def violated(self, values: Floats) -> list[Row]:
        joined = np.where(self.pairs < 0, 0.0, values[self.pairs])
        leaders = LeaderRows(self.groups, self.places, self.pairs, self.degrees[: self.hubs])
        partners = PartnerRows(self.places, self.pairs)
        found = LevelRows(self.groups, self.places).violated(values) + leaders.violated(values, joined)
        return found + partners.violated(values, joined)


def is_met(row: Row, values: Floats) -> bool:
    return bool(row.coefficients @ values[row.columns] <= row.most + 1e-9)


@given(seed=st.integers(0, 10_000), k=st.integers(2, 3), hubs=st.integers(2, 6))
@settings(max_examples=150, deadline=None)
def test_whole_choices_meet_what_mixtures_of_them_and_others_violate(seed: int, k: int, hubs: int) -> None:
    rng = np.random.default_rng(seed)
    degrees = np.sort(rng.integers(0, 7, size=rng.integers(2 * k, 10)))[::-1]
    columns = Columns(degrees, k, min(hubs, degrees.size))
    wholes = [drawn for _ in range(12) if (drawn := columns.whole(rng)) is not None]
    # a mixture of all columns, and one where groups and vertices go by different choices
    cheating = [rng.random(columns.size)]
    for one in wholes[1:]:
        mixed = (wholes[0] + one) / 2
        mixed[columns.places.first :] = rng.choice([wholes[0], one])[columns.places.first :]
        cheating.append(mixed)
    rows = [row for values in cheating for row in columns.violated(values)]
    for whole in wholes:
        assert columns.violated(whole) == []
        assert all(is_met(row, whole) for row in rows)


def test_a_tenth_of_a_group_has_no_place_for_a_whole_vertex() -> None:
    columns = Columns(np.array([9, 5, 5, 5]), 2, 2)
    values = np.zeros(columns.size)
    values[columns._column(columns.upper, (0, 2, 0))] = 0.1
    values[columns.places.first + columns._column(columns.ends, (1, 0))] = 0.2
    (row,) = columns.violated(values)
    assert not is_met(row, values)
    values[columns.places.first + columns._column(columns.ends, (1, 0))] = 0.1
    assert columns.violated(values) == []


def test_leaders_few_places_apart_are_not_both_where_they_began() -> None:
    columns = Columns(np.array([9, 9, 9, 8, 7, 6, 5, 4]), 3, 5)
    values = np.zeros(columns.size)
    # half of the groups are led by the fourth, half by the fifth; who does not lead is raised
    for column in ((0, 4, 0), (3, 6, 1), (4, 7, 2)):
        values[columns._column(columns.upper, column)] = 0.5
    for place in ((3, 0), (3, 1), (4, 1), (4, 2)):
        values[columns.places.first + columns._column(columns.ends, place)] = 0.5
    assert columns.violated(values) == []
    # but never both are
    values[columns.pairs[3, 4]] = 0.5
    (row,) = columns.violated(values)
    assert not is_met(row, values)
    assert columns.pairs[3, 4] in row.columns


def test_who_demands_much_by_a_tenth_is_joined_to_few_by_no_more_than_that() -> None:
    columns = Columns(np.array([9, 9, 4, 4, 4, 3]), 2, 6)
    values = np.zeros(columns.size)
    # raised by five by .2: one in all, but no more than .2 to each
    for v, share in ((2, 0.2), (3, 1.0), (4, 1.0)):
        values[columns.places.first + columns._column(columns.ends, (v, 0))] = share
    for begin in (0, 2):
        values[columns._column(columns.upper, (begin, begin + 2, 0))] = 1
    values[columns.pairs[2, [3, 4]]] = 0.2
    assert columns.violated(values) == []
    values[columns.pairs[2, [3, 4]]] = 0.3
    (row,) = columns.violated(values)
    assert not is_met(row, values)
    assert {*columns.pairs[2, [3, 4]].tolist()} <= {*row.columns.tolist()}
