"""Trees over categories: from paths, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphkit.errors import InvalidInput
from graphkit.hierarchies.tree import ROOT, tree_of_paths


def test_what_lies_below_a_group_is_what_its_paths_say() -> None:
    tree = tree_of_paths([("a", "x", "all"), ("b", "x", "all"), ("c", "y", "all"), ("d", "d", "all")])
    below = {label: tree.below(node) for node, label in enumerate(tree.labels)}
    assert below["x"] == {0, 1}
    assert below["y"] == {2}
    assert below["all"] == {0, 1, 2, 3}
    # a group of one category that is named like it is that category
    assert below["d"] == {3}


@given(st.lists(st.lists(st.integers(0, 2), min_size=0, max_size=3), min_size=1, max_size=8))
def test_every_path_is_kept(shapes: list[list[int]]) -> None:
    paths = []
    for number, shape in enumerate(shapes):
        groups = ["/".join(map(str, ["g", *shape[:end]])) for end in range(len(shape), -1, -1)]
        paths.append([f"c{number}", *groups])
    tree = tree_of_paths(paths)
    assert tree.categories == tuple(path[0] for path in paths)
    for category, path in enumerate(paths):
        chain, node = [tree.labels[category]], category
        while tree.parents[node] != node:
            node = tree.parents[node]
            chain.append(tree.labels[node])
        assert chain == path


def test_a_root_stands_above_where_paths_end_differently() -> None:
    tree = tree_of_paths([("a", "x"), ("b",)])
    assert tree.labels[tree.parents[1]] == ROOT
    assert tree.below(tree.labels.index(ROOT)) == {0, 1}


@pytest.mark.parametrize(
    ("paths", "message"),
    [
        ([], "at least one category"),
        ([("a", "")], "line 1: a category or group has no name"),
        ([("a", "x"), ("a", "x")], "line 2: this category is there before, in line 1"),
        ([("a", "x", "t"), ("b", "x", "u")], "line 2: a group lies in another one here"),
        ([("a", "x"), ("x", "t")], "line "),
        ([("a", "b", "a")], "line 1: a group lies within itself"),
        ([("a", "x", "y"), ("b", "y", "x")], "line 2: "),
        ([("a", "x", "t"), ("b", "x")], "line 2: this path ends at a group"),
        ([("a", "*"), ("b", "t")], "stands for all categories"),
    ],
)
def test_what_is_no_tree_is_refused(paths: list[tuple[str, ...]], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        tree_of_paths(paths)
