"""Contingency tables: what marginals give away of the cells, and which of them may go out."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphkit.tables.cell_bounds import CellBounds, bounds
    from graphkit.tables.contingency import ContingencyTable
    from graphkit.tables.decision import Decision, decide
    from graphkit.tables.frontier import Frontier, find_frontier
    from graphkit.tables.infeasible import conflicting_marginals
    from graphkit.tables.lattice import MarginalLattice, MarginalStatus
    from graphkit.tables.released import ReleasedMarginals
    from graphkit.tables.rules import DisclosureRules
    from graphkit.tables.simulation import Simulation, simulate
    from graphkit.tables.variable import Variable
    from graphkit.tables.verify import has_marginals

__all__ = [
    "CellBounds",
    "ContingencyTable",
    "Decision",
    "DisclosureRules",
    "Frontier",
    "MarginalLattice",
    "MarginalStatus",
    "ReleasedMarginals",
    "Simulation",
    "Variable",
    "bounds",
    "conflicting_marginals",
    "decide",
    "find_frontier",
    "has_marginals",
    "simulate",
]

# numba, scipy and igraph take half a second to import: names are looked up when first used
_HOMES = {
    "CellBounds": "cell_bounds",
    "ContingencyTable": "contingency",
    "Decision": "decision",
    "DisclosureRules": "rules",
    "Frontier": "frontier",
    "MarginalLattice": "lattice",
    "MarginalStatus": "lattice",
    "ReleasedMarginals": "released",
    "Simulation": "simulation",
    "Variable": "variable",
    "bounds": "cell_bounds",
    "conflicting_marginals": "infeasible",
    "decide": "decision",
    "find_frontier": "frontier",
    "has_marginals": "verify",
    "simulate": "simulation",
}
# an engine has no clock: here a time limit alone is enough
_TIMED = {"bounds", "decide", "find_frontier", "simulate"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    if name in _TIMED:
        from graphkit.machine import with_clock

        # kept, so that it is the same function every time it is asked for
        found = globals()[name] = with_clock(found, __name__)
    return found


def __dir__() -> list[str]:
    return __all__
