"""Constraints are brought into one form, and refused where they cannot be meant."""

from typing import Any

import numpy as np
import pytest

from graphkit.errors import InvalidInput
from graphkit.networks import Constraints


def test_vertices_and_pairs_come_out_sorted_and_once() -> None:
    said = Constraints(
        subset=np.array([3, 1, 3]),
        forbidden_edges=np.array([[2, 0], [0, 2], [1, 3]]),
        forbidden_vertices=np.array([2, 0]),
    ).checked(4, 2)
    assert said.subset is not None
    assert said.subset.tolist() == [1, 3]
    assert said.forbidden_edges is not None
    assert said.forbidden_edges.tolist() == [[0, 2], [1, 3]]
    assert said.forbidden_vertices is not None
    assert said.forbidden_vertices.tolist() == [0, 2]


def test_nothing_said_is_no_limit() -> None:
    assert Constraints().checked(3, 2).is_empty
    assert Constraints(earlier_degrees=np.empty((3, 0), dtype=np.int64)).checked(3, 2).earlier_degrees is None
    empty = Constraints(forbidden_edges=np.array([])).checked(3, 2)
    assert empty.forbidden_edges is not None
    assert empty.forbidden_edges.shape == (0, 2)


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        (Constraints(subset=np.array([0, 9])), "subset holds a vertex that is not there"),
        (Constraints(subset=np.array([0, 0])), "larger than the subset"),
        (Constraints(subset=np.array([0.5, 1.5])), "integers"),  # type: ignore[arg-type]
        (Constraints(forbidden_vertices=np.array([-1])), "not there"),
        (Constraints(forbidden_edges=np.array([[0, 9]])), "not there"),
        (Constraints(forbidden_edges=np.array([[1, 1]])), "joins a vertex to itself"),
        (Constraints(forbidden_edges=np.array([0, 1])), "pairs"),
        (Constraints(earlier_degrees=np.zeros((3, 1), dtype=np.int64)), "one row for each of the 4"),
        (Constraints(earlier_degrees=np.zeros(4, dtype=np.int64)), "one row for each"),
    ],
)
def test_what_cannot_be_meant_is_refused(limits: Constraints, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        limits.checked(4, 2)


@pytest.mark.parametrize("most", [-1, 1.5, "2", True])
def test_an_increase_that_cannot_be_meant_is_refused_where_it_is_given(most: Any) -> None:
    with pytest.raises(InvalidInput, match="whole number from 0 on"):
        Constraints(max_increase=most)
