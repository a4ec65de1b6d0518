"""The lattice of a stored table: what became of each marginal, and what would become of it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from auditor.approvals.repository import Approvals
from auditor.policy import Policy
from auditor.store import Store
from auditor.subjects.tables.releases.deciding import Decider
from auditor.subjects.tables.releases.history import present_bounds, surely_out
from auditor.subjects.tables.stored.recorded_answers import MarginalNames
from auditor.subjects.tables.stored.releases import Releases, TableState
from auditor.subjects.tables.stored.rows import record_look
from graphkit.tables.decisions.frontier import Frontier, find_frontier
from graphkit.tables.decisions.frontier_order import related
from graphkit.tables.hierarchies.recoding import RecodedMarginal
from graphkit.tables.structure.hypergraph import Axes, mask_of
from graphkit.tables.structure.lattice import MarginalLattice, MarginalStatus
from graphkit.tables.structure.lattice_positions import axes_of, level_order

STATUSES = ("released", "implied", "pending", "refused", "unreleasable", "releasable", "undecided", "open")
"""What can be said of a marginal, in the order in which it is shown.

``released``: asked for and given. ``implied``: it follows from a released one. ``pending``: it waits for a second
person. ``refused``: its last answer. ``unreleasable``: above a refused one, or proven by a frontier. ``releasable``:
proven by a frontier. ``undecided``: its last answer, or a frontier that proved neither. ``open``: nobody asked for it.
"""

_RELEASED, _IMPLIED, _PENDING, _REFUSED, _UNRELEASABLE, _RELEASABLE, _UNDECIDED, _OPEN = range(len(STATUSES))
_OF_STORE = {
    MarginalStatus.UNDECIDED: _OPEN,
    MarginalStatus.IMPLIED: _IMPLIED,
    MarginalStatus.RELEASED: _RELEASED,
    MarginalStatus.UNRELEASABLE: _UNRELEASABLE,
}


@dataclass(frozen=True, slots=True, eq=False)
class TableLattice:
    """The marginals of a table with their statuses. With a frontier it is a function of the counts: protected."""

    state: TableState
    """The table as it was read."""
    lattice: MarginalLattice
    """What the store tells."""
    statuses: NDArray[np.int8]
    """Of every marginal by its number: a place in :data:`STATUSES`, shape (2^k,)."""
    frontier: Frontier | None = None
    within: Axes | None = None
    """The marginal that the frontier was computed below; None for all."""

    @property
    def complete(self) -> bool:
        """Whether every marginal that the frontier is about is decided."""
        if self.frontier is None:
            return False
        undecided = self.frontier.undecided
        return not (undecided if self.within is None else undecided & self.below(self.within)).any()

    def below(self, axes: Axes) -> NDArray[np.bool_]:
        """Return whether a marginal is one of them or below it, by its number."""
        return related(mask_of(axes), len(self.names), upward=False)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the variables."""
        return self.state.row.names

    @property
    def simulated(self) -> bool:
        """Whether all further answers come from a simulated table."""
        return self.state.simulated is not None

    @property
    def merged(self) -> list[MarginalNames]:
        """Marginals with merged categories that are out, too; they have no place in the lattice."""
        return self._named(one for one in self.state.released(simulated=True) if not one.is_plain)

    @property
    def simulated_marginals(self) -> list[MarginalNames]:
        """Marginals that are out with the counts of a simulated table."""
        return self._named(one.recoded(self.state.row.shape) for one in self.state.stored_releases if one.simulated)

    def _named(self, marginals: Iterable[RecodedMarginal]) -> list[MarginalNames]:
        ordered = sorted(marginals, key=lambda one: one.rank)
        return [MarginalNames.of(one, self.state.row.variables) for one in ordered]

    def counts(self) -> dict[str, int]:
        """Return how many marginals have each status."""
        found = np.bincount(self.statuses, minlength=len(STATUSES))
        return dict(zip(STATUSES, found.tolist(), strict=True))

    def by_level(self) -> NDArray[np.int64]:
        """Return how many marginals have each status, by number of variables; shape (k + 1, number of statuses)."""
        k = len(self.names)
        level = np.bitwise_count(np.arange(1 << k)).astype(np.int64)
        found = np.bincount(level * len(STATUSES) + self.statuses, minlength=(k + 1) * len(STATUSES))
        return found.reshape(k + 1, len(STATUSES)).astype(np.int64)

    def rows(self) -> list[tuple[Axes, str]]:
        """Return every marginal with its status, small ones first."""
        order = level_order(np.arange(1 << len(self.names), dtype=np.int64)).tolist()
        return [(axes_of(number), STATUSES[self.statuses[number]]) for number in order]

    def named(self, sets: tuple[Axes, ...]) -> list[list[str]]:
        """Return sets of variables by name, without the total."""
        return [[self.names[axis] for axis in axes] for axes in sets if axes]


def read_lattice(store: Store, name: str) -> TableLattice:
    """Return what became of the marginals of a stored table.

    Raises
    ------
    NotFound
        If there is no table of that name.
    InvalidInput
        If it has too many variables for a lattice.
    """
    state = Releases(store).state(name)
    known = set(state.row.names)
    last = {answer.names: answer.answer for answer in Releases(store).of_table(name) if not answer.merged}
    refused, undecided = (
        [state.table.axes(names) for names, answer in last.items() if answer in kinds and known.issuperset(names)]
        for kinds in (("refuse", "coarsen"), ("undecided",))
    )
    # a requester who got a simulated marginal has it, too
    out = state.released(simulated=True)
    released = {one.axes for one in out if one.is_plain}
    # the total is public
    lattice = MarginalLattice(state.row.names, [(), *(one.plain_part for one in out)], refused)
    codes = np.array([_OF_STORE[status] for status in sorted(_OF_STORE)], dtype=np.int8)
    statuses = codes[lattice.statuses]
    statuses[[0, *(mask_of(one.plain_part) for one in out if one.plain_part not in released)]] = _IMPLIED
    for axes in refused:
        if statuses[mask_of(axes)] == _UNRELEASABLE:
            statuses[mask_of(axes)] = _REFUSED
    for axes in undecided:
        if statuses[mask_of(axes)] == _OPEN:
            statuses[mask_of(axes)] = _UNDECIDED
    for approval in Approvals(store).pending_of(f"table:{name}"):
        what = approval.what
        if approval.kind == "marginal" and what["data"] == state.row.data and not what["merged"]:
            number = mask_of(state.table.axes(what["marginal"]))
            if statuses[number] not in (_RELEASED, _IMPLIED):
                statuses[number] = _PENDING
    return TableLattice(state, lattice, statuses)


def decided_lattice(
    store: Store,
    known: TableLattice,
    policy: Policy,
    *,
    actor: str,
    time_limit: float | None,
    clock: Callable[[], float],
    report: Callable[[int, int], None] | None = None,
    within: Iterable[str] | None = None,
) -> TableLattice:
    """Return the lattice with what would be answered to each marginal, asked for next; recorded before it is computed.

    Parameters
    ----------
    store : Store
    known : TableLattice
        As :func:`read_lattice` gives it.
    policy : Policy
    actor : str
        Who will see it.
    time_limit : float, optional
        Seconds for all; one decision has the policy's own limit at most.
    clock : callable
        Returns seconds.
    report : callable, optional
        Told how many marginals are settled, and how many there are.
    within : iterable of str, optional
        Names of variables: marginals of these alone are decided, the others keep their status.

    Raises
    ------
    InvalidInput
        If there is no variable of such a name.

    Notes
    -----
    Nothing of it is stored: what is out changes it. What went out of another version of the data counts as out.
    """
    state = known.state
    chosen = None if within is None else known.lattice.axes(within)
    wanted = np.ones_like(known.statuses, dtype=np.bool_)
    payload: dict[str, Any] = {"policy": policy.digest(), "marginals": known.statuses.size}
    if chosen is not None:
        wanted = known.below(chosen)
        payload |= {"marginals": int(wanted.sum()), "within": [known.names[axis] for axis in chosen]}
    record_look(store, state.row, "table_frontier", payload, actor=actor)
    decider = Decider(state, policy, clock)
    found = find_frontier(
        state.table,
        surely_out(state),
        policy.table.rules(),
        present=present_bounds(state),
        time_limit=time_limit,
        decision_limit=policy.table.time_limit,
        clock=clock,
        report=report,
        also=lambda axes, budget: decider.elsewhere(RecodedMarginal.plain(state.table, axes), budget.remaining()),
        within=chosen,
    )
    statuses = known.statuses.copy()
    # what waits goes on waiting: whoever approves it decides anew
    is_open = wanted & ~np.isin(statuses, (_RELEASED, _IMPLIED, _PENDING))
    unsafe = found.lattice.statuses == MarginalStatus.UNRELEASABLE
    # out of another version alone: asked for again, it adds nothing to what is out
    elsewhere = (found.lattice.statuses == MarginalStatus.RELEASED) | (found.lattice.statuses == MarginalStatus.IMPLIED)
    safe = found.releasable | (elsewhere & (found.out_is_safe is True) & decider.is_exact)
    unsafe |= elsewhere & (found.out_is_safe is False)
    statuses[is_open & (statuses != _REFUSED)] = _UNDECIDED
    statuses[is_open & safe] = _RELEASABLE
    statuses[is_open & unsafe & (statuses != _REFUSED)] = _UNRELEASABLE
    return replace(known, statuses=statuses, frontier=found, within=chosen)
