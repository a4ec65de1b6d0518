"""A graph whose questions are counted as work, and whose answers to the last ones are remembered."""

from collections.abc import Callable
from typing import TypeVar

import numpy as np

from graphkit.arrays import Ints
from graphkit.budget import Budget
from graphkit.networks.effort.work import QUESTION, QUESTION_EDGES
from graphkit.networks.graphs.graph_view import GraphView

_REMEMBERED = 12

Answer = TypeVar("Answer")


class CountedView(GraphView):
    """Another view, each question of which is charged to a budget.

    A question takes longer the more edges there are, above all on a disk. It is charged by their number alone, so that
    the work, and with it the answer, is the same on every kind of view.

    Examples
    --------
    >>> from graphkit.networks.graphs.interchange import as_view
    >>> budget = Budget()
    >>> view = CountedView(as_view([(0, 1), (1, 2)]), budget)
    >>> view.block_sequence().tolist(), budget.work
    ([0, 2, 1], 50)
    >>> view.block_sequence().tolist(), budget.work
    ([0, 2, 1], 50)
    """

    def __init__(self, view: GraphView, budget: Budget) -> None:
        self._view, self._budget = view, budget
        self._price = QUESTION + view.edge_count // QUESTION_EDGES
        self._answers: dict[tuple[str, bytes], object] = {}

    @property
    def vertex_count(self) -> int:
        """Number of vertices."""
        return self._view.vertex_count

    @property
    def edge_count(self) -> int:
        """Number of edges."""
        return self._view.edge_count

    def block_sequence(self) -> Ints:
        """Return how many vertices have each degree."""
        return self._remembered("blocks", np.empty(0, dtype=np.int64), lambda _: self._view.block_sequence()).copy()

    def degrees(self, vertices: Ints) -> Ints:
        """Return the degree of each vertex."""
        self._budget.charge(self._price)
        return self._view.degrees(vertices)

    def vertices_of_degrees(self, degrees: Ints) -> list[Ints]:
        """Return the vertices of each degree."""
        return list(self._remembered("vertices", degrees, self._view.vertices_of_degrees))

    def edges_among(self, vertices: Ints) -> Ints:
        """Return the edges with both ends among some vertices."""
        return self._remembered("edges", vertices, self._view.edges_among).copy()

    def neighbours(self, vertices: Ints) -> list[Ints]:
        """Return the neighbours of each vertex."""
        self._budget.charge(self._price)
        return self._view.neighbours(vertices)

    def non_neighbours(self, vertices: Ints, degree: int, limit: int) -> Ints:
        """Return vertices of a degree that none of some vertices is adjacent to."""
        self._budget.charge(self._price)
        return self._view.non_neighbours(vertices, degree, limit)

    def _remembered(self, question: str, about: Ints, ask: Callable[[Ints], Answer]) -> Answer:
        """Return an answer; those to a few different questions are kept, and cost nothing when asked again."""
        key = question, np.asarray(about).tobytes()
        if key not in self._answers:
            self._budget.charge(self._price)
            if len(self._answers) >= _REMEMBERED:
                self._answers.pop(next(iter(self._answers)))
            self._answers[key] = ask(about)
        else:
            self._answers[key] = self._answers.pop(key)
        return self._answers[key]  # type: ignore[return-value]
