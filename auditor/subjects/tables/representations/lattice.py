"""What is told of the lattice of a table's marginals: which are out, which may be, which must not."""

from pathlib import Path
from typing import Any

from auditor.policy import Policy
from auditor.subjects.tables.releases.lattice import TableLattice

_MOST_LISTED = 16


def lattice_data(name: str, found: TableLattice, policy: Policy, picture: Path | None) -> dict[str, Any]:
    """Return the object; docs/tables.md explains its keys."""
    from auditor.subjects.tables.releases.lattice import STATUSES

    small = len(found.names) <= _MOST_LISTED
    return {
        **_known(name, found, policy),
        "decided": found.frontier is not None,
        "simulated_marginals": found.simulated_marginals,
        "levels": [
            {"variables": variables, **dict(zip(STATUSES, numbers, strict=True))}
            for variables, numbers in enumerate(found.by_level().tolist())
        ],
        "merged": found.merged,
        "unreleasable_frontier": found.named(unreleasable(found)),
        "picture": picture,
        "marginals": [
            {"marginal": [found.names[axis] for axis in axes], "status": status} for axes, status in found.rows()
        ]
        if small
        else None,
    }


def frontier_data(name: str, found: TableLattice, policy: Policy) -> dict[str, Any]:
    """Return the object; docs/tables.md explains its keys."""
    assert found.frontier is not None
    return {
        **_known(name, found, policy),
        "decisions": found.frontier.decisions,
        "maximal_releasable": found.named(found.frontier.maximal_releasable),
        "minimal_unreleasable": found.named(unreleasable(found)),
        "unsettled": found.named(found.frontier.unsettled),
        "within": None if found.within is None else [found.names[axis] for axis in found.within],
    }


def unreleasable(found: TableLattice) -> tuple[tuple[int, ...], ...]:
    """Return the smallest marginals that must not go out, as far as that was decided."""
    return (found.frontier.lattice if found.frontier is not None else found.lattice).unreleasable_frontier


def _known(name: str, found: TableLattice, policy: Policy) -> dict[str, Any]:
    shown = {
        "table": name,
        "variables": found.names,
        "simulated": found.simulated,
        "statuses": found.counts(),
        "released_frontier": found.named(found.lattice.released_frontier),
    }
    if found.frontier is None:
        return shown
    decided = {"complete": found.complete, "out_is_safe": found.frontier.out_is_safe}
    return {**shown, "policy": policy.digest(), **decided}
