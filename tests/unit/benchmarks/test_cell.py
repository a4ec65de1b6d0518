"""One cell of a table of figures: what the engine claims is not taken for granted."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import graphkit.networks
from benchmarks.cell import Cell, cell_of, gap_rows, share_row, time_rows, valid_row
from graphkit.errors import BrokenClaim
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.graphs.igraph_view import IgraphView
from graphkit.networks.result import Anonymization

PATH = SimpleGraph.from_edges([(0, 1), (1, 2)])


def measured() -> Cell:
    return cell_of("path", PATH, IgraphView.of(PATH), 2)


def engine_that_answers(edges: list[tuple[int, int]]) -> Any:
    def engine(graph: Any, k: int, **_: Any) -> Anonymization:
        return Anonymization(k, "optimal", "optimal", np.array(edges, dtype=np.int64).reshape(-1, 2), len(edges))

    return engine


def test_a_cell_holds_the_verified_result() -> None:
    cell = measured()
    assert (cell.work, cell.n, cell.m, cell.k) == ("path k = 2", 3, 2, 2)
    assert (cell.status, cell.edges, cell.gap, cell.is_optimal) == ("optimal", 1, 0.0, True)
    assert cell.seconds > 0
    assert set(cell.phases) == {"read", "first", "solve", "bound"}


@pytest.mark.parametrize("edges", [[], [(0, 1)], [(0, 0)], [(0, 2), (0, 2)], [(0, 3)]])
def test_a_wrong_answer_is_no_figure_whatever_it_claims(
    edges: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graphkit.networks, "anonymize", engine_that_answers(edges), raising=False)
    cell = measured()
    assert (cell.status, cell.is_valid, cell.is_optimal, cell.gap) == ("invalid", False, False, math.inf)


def test_an_engine_that_fails_fails_its_cell_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def engine(*_: Any, **__: Any) -> Anonymization:
        raise BrokenClaim("something secret")

    monkeypatch.setattr(graphkit.networks, "anonymize", engine, raising=False)
    cell = measured()
    assert (cell.status, cell.is_valid) == ("failed: BrokenClaim", False)


def test_rows_over_cells() -> None:
    cells = [
        Cell("a", 9, 9, 2, "optimal", 10, 10, 1.0),
        Cell("b", 9, 9, 2, "feasible", 100, 98, 2.0),
        Cell("c", 9, 9, 2, "feasible", 100, 90, 6.0),
        Cell("d", 9, 9, 2, "optimal", 0, 0, 3.0),
    ]
    assert share_row("p", "proven", cells, lambda cell: cell.is_optimal, 50).holds
    assert not share_row("p", "proven", cells, lambda cell: cell.gap <= 0.01, 51).holds
    mean, most = gap_rows("p", cells, mean=3.1, most=9.0)
    assert (mean.value, mean.holds, most.value, most.holds) == (3.0, True, 10.0, False)
    middle, longest = time_rows("p", cells, middle=2.5, most=5.0)
    assert (middle.value, middle.holds, longest.value, longest.holds) == (2.5, True, 6.0, False)
    assert valid_row("p", cells).holds


def test_a_cell_without_a_valid_graph_spoils_every_bar() -> None:
    cells = [Cell("a", 9, 9, 2, "invalid", 10, 10, 1.0)]
    rows = [
        valid_row("p", cells),
        share_row("p", "proven", cells, lambda cell: cell.is_optimal, 1),
        share_row("p", "close", cells, lambda cell: cell.gap <= 0.5, 1),
        *gap_rows("p", cells, mean=99, most=99),
    ]
    assert not any(row.holds for row in rows)
