"""Vertices with names come in from lists, frames and matrices."""

from __future__ import annotations

from typing import Any

import igraph
import networkx as nx
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from scipy.sparse import coo_matrix, csr_array, csr_matrix

from graphkit.errors import InvalidInput
from graphkit.networks import anonymize, audit, release, vertex_names
from graphkit.networks.graphs.interchange import as_simple_graph

PAIRS = [("ann", "bob"), ("bob", "eve"), ("dan", "fay")]
ENDS = {"source": [a for a, _ in PAIRS], "target": [b for _, b in PAIRS]}
NAMES = ["ann", "bob", "dan", "eve", "fay"]


class PolarsSeries:
    """What a series of polars offers of what is used."""

    def __init__(self, values: list[Any]) -> None:
        self._values = values

    def to_list(self) -> list[Any]:
        return self._values


class PolarsFrame:
    """What a frame of polars offers of what is used; polars itself is no dependency."""

    def __init__(self, columns: dict[str, list[Any]]) -> None:
        self._columns = columns

    @property
    def columns(self) -> list[str]:
        return list(self._columns)

    def __getitem__(self, name: str) -> PolarsSeries:
        return PolarsSeries(self._columns[name])


named = igraph.Graph.TupleList(PAIRS)
FORMS: dict[str, Any] = {
    "pairs": PAIRS,
    "array of text": np.array(PAIRS),
    "array of objects": np.array(PAIRS, dtype=object),
    "pandas": pd.DataFrame(ENDS),
    "pandas with a weight and an index": pd.DataFrame({"weight": [1, 2, 3], **ENDS}, index=[7, 7, 9]),
    "pandas categories": pd.DataFrame(ENDS).astype("category"),
    "pandas from to": pd.DataFrame({"from": ENDS["source"], "to": ENDS["target"], "year": 2020}),
    "two columns of any name": pd.DataFrame({"who": ENDS["source"], "whom": ENDS["target"]}),
    "pyarrow": pa.table(ENDS),
    "pyarrow dictionary": pa.table({name: pa.array(values).dictionary_encode() for name, values in ENDS.items()}),
    "polars": PolarsFrame(ENDS),
}


@pytest.mark.parametrize("form", FORMS)
def test_names_come_in(form: str) -> None:
    graph = FORMS[form]
    assert vertex_names(graph).tolist() == NAMES
    assert as_simple_graph(graph).edges.tolist() == [[0, 1], [1, 3], [2, 4]]
    assert audit(graph, 2).vertices_below_k == 1
    result = anonymize(graph, 2)
    assert result.size == 1
    _, key = release(graph, 2)
    assert sorted(key.to_dict()) == NAMES


def test_names_of_other_libraries_are_in_their_order() -> None:
    assert vertex_names(nx.Graph([("b", "a"), ("a", (1, 2))])).tolist() == ["b", "a", (1, 2)]
    graph = igraph.Graph(n=2, edges=[(0, 1)])
    assert vertex_names(graph).tolist() == [0, 1]
    graph.vs["name"] = ["y", "x"]
    assert vertex_names(graph).tolist() == ["y", "x"]


def test_numbers_in_a_frame_are_names_and_no_vertex_is_invented() -> None:
    frame = pd.DataFrame({"source": [1000, 7], "target": [7, 12]})
    assert as_simple_graph(frame).n == 3
    assert vertex_names(frame).tolist() == [7, 12, 1000]


MATRIX = np.array([[0, 2, 0, 0], [2, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 0]])


@pytest.mark.parametrize("form", [csr_array, csr_matrix, coo_matrix])
def test_a_sparse_matrix_is_an_adjacency_matrix(form: Any) -> None:
    graph = as_simple_graph(form(MATRIX))
    assert (graph.n, graph.edges.tolist()) == (4, [[0, 1], [1, 2]])
    assert vertex_names(form(MATRIX)).tolist() == [0, 1, 2, 3]
    assert (graph.to_scipy().toarray() == (MATRIX > 0)).all()


def test_stored_zeros_and_repeated_entries_are_no_edges_of_their_own() -> None:
    zero = csr_array(MATRIX.astype(float))
    zero.data[:] = 0
    assert as_simple_graph(zero).m == 0
    twice = coo_matrix((np.ones(4), ([0, 0, 1, 1], [1, 1, 0, 0])), shape=(2, 2))
    assert as_simple_graph(twice).m == 1


MISTAKES: dict[str, tuple[Any, str]] = {
    "three columns": (pd.DataFrame({"id": [1], "name": ["x"], "age": [3]}), "3 columns and none named source"),
    "a missing end": (pd.DataFrame({"source": ["a", None], "target": ["b", "c"]}), "none may be missing"),
    "a missing number": (pd.DataFrame({"source": [1, None], "target": [2, 3]}), "none may be missing"),
    "a missing end in pyarrow": (pa.table({"source": ["a", None], "target": ["b", "c"]}), "none may be missing"),
    "text beside numbers": (pd.DataFrame({"source": ["a"], "target": [1]}), "all text or all whole numbers"),
    "fractions": (pd.DataFrame({"source": [0.5], "target": [1.5]}), "whole numbers"),
    "two columns of one name": (pd.DataFrame([["a", "b"]], columns=["x", "x"]), "same name"),
    "a loop": ([("a", "b"), ("a", "a")], "loops or parallel edges"),
    "an edge twice": (pd.DataFrame({"source": ["a", "b"], "target": ["b", "a"]}), "loops or parallel edges"),
    "no square": (csr_array(np.ones((2, 3))), "square"),
    "not symmetric": (csr_array(np.triu(MATRIX)), "not symmetric"),
    "a diagonal": (csr_array(np.eye(2)), "diagonal"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_line_that_names_nobody(mistake: str) -> None:
    graph, line = MISTAKES[mistake]
    with pytest.raises(InvalidInput, match=line) as caught:
        audit(graph, 2)
    assert "\n" not in str(caught.value)
