"""Attributes and what generalizing them loses."""

import numpy as np
import pytest

from graphkit.errors import InvalidInput
from graphkit.microdata import hierarchical, nominal, numeric
from tests.support.generalization import TREE, ancestors


def test_both_conventions_lose_nothing_for_one_value_and_all_for_the_domain() -> None:
    assert nominal(4).losses.tolist() == [0.0, 0.0, 0.5, 0.75, 1.0]
    assert nominal(5, counting="steps").losses.tolist() == [0.0, 0.0, 0.25, 0.5, 0.75, 1.0]
    assert nominal(1, counting="steps").losses.tolist() == [0.0, 0.0]


def test_leaves_and_depths_are_those_of_the_tree() -> None:
    nodes = range(TREE.parents.size)
    below = [sum(node in ancestors(TREE, value) for value in range(TREE.size)) for node in nodes]
    assert TREE.leaves.tolist() == below
    assert TREE.depths.tolist() == [len(ancestors(TREE, node)) - 1 for node in nodes]


@pytest.mark.parametrize(
    ("parents", "size", "message"),
    [
        ([2, 3], 2, "parent that is not there"),
        ([2, 2, 2], 4, "no category"),
        ([2, 3, 2, 3], 2, "2 roots"),
        ([3, 0, 3, 3], 3, "below it"),
        ([4, 4, 3, 2, 4], 2, "in a circle"),
        ([3, 3, 3, 3, 3], 3, "no category below it"),
    ],
)
def test_what_is_no_tree_is_refused(parents: list[int], size: int, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        hierarchical(parents, size)


@pytest.mark.parametrize("weight", [0.0, -1.0, np.inf, np.nan])
def test_weights_are_positive_numbers(weight: float) -> None:
    for make in (lambda: nominal(2, weight), lambda: numeric([1], weight), lambda: hierarchical([1, 1], 1, weight)):
        with pytest.raises(InvalidInput, match="must be a positive number"):
            make()


def test_domains_have_values() -> None:
    with pytest.raises(InvalidInput, match="at least one category"):
        nominal(0)
    for values in ([], [1.0, np.nan], [np.inf]):
        with pytest.raises(InvalidInput, match="domain of numbers"):
            numeric(values)
