"""Contingency tables: what marginals give away of the cells, and which of them may go out."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphkit.hierarchies.variable import Variable
    from graphkit.tables.decisions.decision import Decision, decide
    from graphkit.tables.decisions.frontier import Frontier, find_frontier
    from graphkit.tables.decisions.rules import DisclosureRules
    from graphkit.tables.programs.consistency import conflicting_marginals
    from graphkit.tables.sharp_bounds.cell_bounds import CellBounds, bounds
    from graphkit.tables.simulation.simulating import Simulation, simulate
    from graphkit.tables.structure.contingency import ContingencyTable
    from graphkit.tables.structure.lattice import MarginalLattice, MarginalStatus
    from graphkit.tables.structure.released import ReleasedMarginals
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
    "CellBounds": "graphkit.tables.sharp_bounds.cell_bounds",
    "ContingencyTable": "graphkit.tables.structure.contingency",
    "Decision": "graphkit.tables.decisions.decision",
    "DisclosureRules": "graphkit.tables.decisions.rules",
    "Frontier": "graphkit.tables.decisions.frontier",
    "MarginalLattice": "graphkit.tables.structure.lattice",
    "MarginalStatus": "graphkit.tables.structure.lattice",
    "ReleasedMarginals": "graphkit.tables.structure.released",
    "Simulation": "graphkit.tables.simulation.simulating",
    "Variable": "graphkit.hierarchies.variable",
    "bounds": "graphkit.tables.sharp_bounds.cell_bounds",
    "conflicting_marginals": "graphkit.tables.programs.consistency",
    "decide": "graphkit.tables.decisions.decision",
    "find_frontier": "graphkit.tables.decisions.frontier",
    "has_marginals": "graphkit.tables.verify",
    "simulate": "graphkit.tables.simulation.simulating",
}
# an engine has no clock: here a time limit alone is enough
_TIMED = {"bounds", "decide", "find_frontier", "simulate"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(_HOMES[name]), name)
    if name in _TIMED:
        from graphkit.machine import with_clock

        # kept, so that it is the same function every time it is asked for
        found = globals()[name] = with_clock(found, __name__)
    return found


def __dir__() -> list[str]:
    return __all__
