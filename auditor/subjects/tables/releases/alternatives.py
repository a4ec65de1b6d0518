"""What could be released in the place of one marginal: the frontier below it, and a coarser one of its variables."""

from collections.abc import Callable
from dataclasses import dataclass

from auditor.policy import Policy
from auditor.store import Store
from auditor.subjects.tables.releases.deciding import Decider
from auditor.subjects.tables.releases.lattice import TableLattice, decided_lattice
from auditor.subjects.tables.stored.recorded_answers import MarginalNames
from graphkit.tables.hierarchies.recoding import RecodedMarginal
from graphkit.tables.structure.hypergraph import Axes, mask_of
from graphkit.tables.structure.lattice import MarginalStatus

_OF_COARSER = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Alternatives:
    """What could be released next in the place of a marginal, each alone. A function of the counts: protected."""

    lattice: TableLattice
    """The lattice, with what would be answered to the marginal and those within it."""
    itself: bool | None
    """Whether the marginal itself could be released; None where neither was proven in time."""
    releasable: list[list[str]]
    """The largest marginals within it that could be released, the nearest first; none if it could be itself."""
    coarser: MarginalNames | None
    """A marginal of its variables with merged categories that could be released, if one was looked for and found."""

    @property
    def complete(self) -> bool:
        """Whether all marginals within it were decided in time."""
        return self.itself is True or self.lattice.complete


def find_alternatives(
    store: Store,
    known: TableLattice,
    axes: Axes,
    policy: Policy,
    *,
    actor: str,
    time_limit: float,
    clock: Callable[[], float],
    merging: bool,
) -> Alternatives:
    """Return what could be released in the place of a marginal; recorded in the ledger before it is computed.

    Parameters
    ----------
    store : Store
    known : TableLattice
        As :func:`~auditor.subjects.tables.releases.lattice.read_lattice` gives it.
    axes : tuple of int
        The marginal.
    policy : Policy
    actor : str
        Who will see it.
    time_limit : float
        Seconds for the frontier; half as many more for a coarser marginal.
    clock : callable
        Returns seconds.
    merging : bool
        Whether a coarser marginal is looked for, too.
    """
    names = [known.names[axis] for axis in axes]
    found = decided_lattice(store, known, policy, actor=actor, time_limit=time_limit, clock=clock, within=names)
    frontier = found.frontier
    assert frontier is not None
    number = mask_of(axes)
    unsafe = frontier.lattice.statuses[number] == MarginalStatus.UNRELEASABLE or frontier.out_is_safe is False
    itself = True if frontier.releasable[number] else False if unsafe else None
    largest = () if itself else tuple(sorted(frontier.maximal_releasable, key=lambda one: (-len(one), one)))
    coarser = None
    if merging and not itself:
        whole = RecodedMarginal.plain(known.state.table, axes)
        coarsening = Decider(known.state, policy, clock).coarsen(whole, time_limit * _OF_COARSER)
        # without merged categories it is one of those within
        if coarsening is not None and not coarsening.marginal.is_plain:
            coarser = MarginalNames.of(coarsening.marginal, known.state.row.variables)
    return Alternatives(found, itself, found.named(largest), coarser)
