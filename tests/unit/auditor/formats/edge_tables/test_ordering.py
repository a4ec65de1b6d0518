"""Edges come in their order, whatever order and whatever pieces they came in, with the others on the disk."""

from pathlib import Path

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from auditor.formats.edge_tables.ordering import in_order


@given(
    edges=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=40),
    size=st.integers(1, 50),
    at_once=st.integers(1, 50),
)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_it_is_sorting(tmp_path: Path, edges: list[tuple[int, int]], size: int, at_once: int) -> None:
    rows = np.array(edges, dtype=np.int64).reshape(-1, 2)
    pieces = ((rows[i : i + size, 0], rows[i : i + size, 1]) for i in range(0, len(rows), size))
    found = [
        pair
        for one, other in in_order(pieces, 10, len(rows), tmp_path, at_once=at_once)
        for pair in zip(one.tolist(), other.tolist(), strict=True)
    ]
    assert found == sorted((min(pair), max(pair)) for pair in edges)
    assert list(tmp_path.iterdir()) == []


def test_the_largest_ids_keep_their_bits_and_ranges_are_about_alike(tmp_path: Path) -> None:
    n, rng = 1 << 31, np.random.default_rng(1)
    one, other = rng.integers(0, n, (2, 10_000))
    pieces = list(in_order([(one, other)], n, one.size, tmp_path, at_once=1_000))
    found = np.column_stack([np.concatenate(column) for column in zip(*pieces, strict=True)])
    expected = np.sort(np.column_stack((one, other)), axis=1)
    assert np.array_equal(found, expected[np.lexsort(expected.T[::-1])])
    # each range is sorted by itself: none has twice its share of edges that know no order
    assert max(piece.size for piece, _ in pieces) < 1_200
