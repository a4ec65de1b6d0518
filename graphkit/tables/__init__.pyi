"""What the package offers: each name, and the module that it is imported from when it is first used."""

from graphkit.hierarchies.variable import Variable as Variable
from graphkit.tables.decisions.decision import Decision as Decision
from graphkit.tables.decisions.decision import decide as decide
from graphkit.tables.decisions.frontier import Frontier as Frontier
from graphkit.tables.decisions.frontier import find_frontier as find_frontier
from graphkit.tables.decisions.rules import DisclosureRules as DisclosureRules
from graphkit.tables.programs.consistency import conflicting_marginals as conflicting_marginals
from graphkit.tables.sharp_bounds.cell_bounds import CellBounds as CellBounds
from graphkit.tables.sharp_bounds.cell_bounds import bounds as bounds
from graphkit.tables.simulation.simulating import Simulation as Simulation
from graphkit.tables.simulation.simulating import simulate as simulate
from graphkit.tables.structure.contingency import ContingencyTable as ContingencyTable
from graphkit.tables.structure.lattice import MarginalLattice as MarginalLattice
from graphkit.tables.structure.lattice import MarginalStatus as MarginalStatus
from graphkit.tables.structure.released import ReleasedMarginals as ReleasedMarginals
from graphkit.tables.verify import has_marginals as has_marginals
