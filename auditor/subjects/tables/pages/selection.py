"""What stands beside the lattice of a table: the selected marginal, why it has its status, and what is beside it."""

from collections.abc import Sequence
from dataclasses import dataclass

from auditor.core.errors import BadInput
from auditor.subjects.tables.pages.marginal_state import MarginalState, state_of_marginal
from auditor.subjects.tables.pages.requested_marginal import asked_marginal
from auditor.subjects.tables.releases.lattice import TableLattice
from auditor.subjects.tables.stored.history import ReleasedNames
from auditor.subjects.tables.stored.recorded_answers import RecordedAnswer
from auditor.web.api.models import MarginalIn
from auditor.web.security.identity import Call
from graphkit.hierarchies.variable import Variable
from graphkit.tables.structure.hypergraph import Axes

_ANSWERED = ("refused", "undecided", "pending")


@dataclass(frozen=True, slots=True)
class Selection:
    """The marginal that is selected in a lattice; the total has no variables and no state."""

    names: list[str]
    state: MarginalState | None
    below: int
    """How many marginals could be computed from it, the total not counted."""
    above: int
    """How many it follows from."""
    behind: list[list[str]]
    """Why it has its status: what it follows from, or the refused marginals that would follow from it."""
    out: list[list[str]]
    """The largest marginals within it that are out."""

    @property
    def withheld(self) -> bool:
        """Whether there is an answer to a request that the person may not see."""
        return self.state is not None and self.state.status in _ANSWERED and self.state.answer is None


def selected_axes(variables: Sequence[Variable], v: Sequence[str]) -> Axes | None:
    """Return the marginal that an address selects; None if it selects none.

    Parameters
    ----------
    variables : sequence of Variable
        Those of the table.
    v : sequence of str
        Names of variables; the empty name alone is the total.

    Raises
    ------
    BadInput
        If there is no such variable.

    Examples
    --------
    >>> table = [Variable("age", ("0-19", "20-59", "60+")), Variable("sex", ("f", "m"))]
    >>> selected_axes(table, ["sex", "age"]), selected_axes(table, [""]), selected_axes(table, [])
    ((0, 1), (), None)
    """
    if not v:
        return None
    if [*v] == [""]:
        return ()
    chosen = asked_marginal(variables, v, ()).variables
    return tuple(place for place, variable in enumerate(variables) if variable.name in chosen)


def select(
    call: Call,
    found: TableLattice,
    axes: Axes | None,
    answers: Sequence[RecordedAnswer],
    released: Sequence[ReleasedNames],
) -> Selection | None:
    """Return what is shown of the selected marginal; read from what is recorded, nothing is computed of its counts.

    Parameters
    ----------
    call : Call
    found : TableLattice
    axes : tuple of int, optional
        The marginal; None for none.
    answers : sequence of RecordedAnswer
        Those that the person may see, the first one first.
    released : sequence of ReleasedNames
        What is out of the table.
    """
    if axes is None:
        return None
    names, wanted = [found.names[axis] for axis in axes], set(axes)
    around = {"below": max((1 << len(axes)) - 2, 0), "above": (1 << len(found.names) - len(axes)) - 1}
    if not axes:
        return Selection(names, None, **around, behind=[], out=[])
    state = state_of_marginal(call, found.state.row.name, MarginalIn(variables=names), found, answers, released)
    frontier = found.lattice.released_frontier
    behind: list[Axes] = []
    if state.status == "implied":
        behind = [one for one in frontier if wanted <= set(one)]
    elif state.status == "unreleasable":
        behind = [one for one in found.lattice.unreleasable_frontier if set(one) <= wanted]
    return Selection(names, state, **around, behind=found.named(tuple(behind)), out=found.named(_within(found, wanted)))


def _within(found: TableLattice, wanted: set[int]) -> tuple[Axes, ...]:
    """Return the largest marginals that are out and have no other variables, the largest first."""
    common = {tuple(sorted(wanted.intersection(one))) for one in found.lattice.released_frontier}
    largest = [one for one in common if not any(set(one) < set(other) for other in common)]
    return tuple(sorted(largest, key=lambda one: (-len(one), one)))


def check_selected(axes: Axes | None) -> Axes:
    """Return the selected marginal.

    Raises
    ------
    BadInput
        If there is none, or it is the total.
    """
    if not axes:
        raise BadInput("select a marginal with at least one variable: the total is public")
    return axes
