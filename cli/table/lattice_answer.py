"""What `auditor table lattice` and `auditor table frontier` answer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from auditor.policy import Policy
    from auditor.releases.lattice import TableLattice
    from cli.output import Output

__all__ = ["frontier_data", "frontier_shown", "lattice_data", "lattice_shown", "picture_of"]

_MOST_LISTED = 16
_MOST_SHOWN_VARIABLES = 5
_MOST_ROWS = 50


def lattice_data(name: str, found: TableLattice, policy: Policy, picture: Path | None) -> dict[str, Any]:
    """Return the object; docs/tables.md explains its keys."""
    from auditor.releases.lattice import STATUSES

    small = len(found.names) <= _MOST_LISTED
    return {
        "table": name,
        "variables": found.names,
        "decided": found.frontier is not None,
        **({} if found.frontier is None else _decided(found, policy)),
        "simulated": found.simulated,
        "statuses": found.counts(),
        "levels": [
            {"variables": variables, **dict(zip(STATUSES, numbers, strict=True))}
            for variables, numbers in enumerate(found.by_level().tolist())
        ],
        "released_frontier": found.named(found.lattice.released_frontier),
        "unreleasable_frontier": found.named(_unreleasable(found)),
        "picture": picture,
        "marginals": [
            {"marginal": [found.names[axis] for axis in axes], "status": status} for axes, status in found.rows()
        ]
        if small
        else None,
    }


def lattice_shown(output: Output, name: str, found: TableLattice, picture: Path | None) -> list[Any]:
    """Return tables and lines."""
    shown: list[Any] = [f"{name}: {_in_words(found)}"]
    if len(found.names) <= _MOST_SHOWN_VARIABLES:
        rows = [(_marginal(found, axes), status) for axes, status in found.rows()]
        shown.append(output.table(("marginal", "status"), rows))
    else:
        shown.append(_levels(output, found))
        shown += _listed(output, found, found.lattice.released_frontier, "The largest that are out")
        shown += _listed(output, found, _unreleasable(found), "The smallest that must not go out")
        if found.frontier is not None:
            shown += _listed(output, found, found.frontier.maximal_releasable, "The largest that could go out next")
    if picture is not None:
        shown.append(f"drawn: {picture}")
    return shown


def frontier_data(name: str, found: TableLattice, policy: Policy) -> dict[str, Any]:
    """Return the object; docs/tables.md explains its keys."""
    assert found.frontier is not None
    return {
        "table": name,
        "variables": found.names,
        **_decided(found, policy),
        "simulated": found.simulated,
        "statuses": found.counts(),
        "decisions": found.frontier.decisions,
        "released_frontier": found.named(found.lattice.released_frontier),
        "maximal_releasable": found.named(found.frontier.maximal_releasable),
        "minimal_unreleasable": found.named(_unreleasable(found)),
        "unsettled": found.named(found.frontier.unsettled),
    }


def frontier_shown(output: Output, name: str, found: TableLattice) -> list[Any]:
    """Return tables and lines."""
    assert found.frontier is not None
    lines = [f"{name}: {_in_words(found)}"]
    if found.frontier.out_is_safe is False:
        lines.append("what is out breaks the policy already: nothing more may go out")
    return [
        "\n".join(lines),
        _levels(output, found),
        *_listed(output, found, found.frontier.maximal_releasable, "The largest that could go out next, one alone"),
        *_listed(output, found, _unreleasable(found), "The smallest that must not go out"),
        *_listed(output, found, found.frontier.unsettled, "Tried, and neither answer proven"),
    ]


def picture_of(name: str, found: TableLattice, policy: Policy) -> str:
    """Return the lattice as SVG."""
    from auditor.releases.lattice import STATUSES
    from auditor.reports.charts.table_lattice import lattice_picture

    remark = "what was answered; what would be is not decided"
    if found.frontier is not None:
        remark = f"what was answered, and what would be under the policy {policy.digest()[:12]}"
    return lattice_picture(name, remark, found.names, STATUSES, found.statuses)


def _decided(found: TableLattice, policy: Policy) -> dict[str, Any]:
    assert found.frontier is not None
    return {
        "policy": policy.digest(),
        "complete": found.frontier.complete,
        "out_is_safe": found.frontier.out_is_safe,
    }


def _unreleasable(found: TableLattice) -> tuple[tuple[int, ...], ...]:
    return (found.frontier.lattice if found.frontier is not None else found.lattice).unreleasable_frontier


def _in_words(found: TableLattice) -> str:
    counts = ", ".join(f"{number} {status}" for status, number in found.counts().items() if number)
    return f"{found.statuses.size} marginals: {counts}"


def _marginal(found: TableLattice, axes: tuple[int, ...]) -> str:
    return ", ".join(found.names[axis] for axis in axes) or "total"


def _levels(output: Output, found: TableLattice) -> Any:
    from auditor.releases.lattice import STATUSES

    numbers = found.by_level()
    present = [place for place in range(len(STATUSES)) if numbers[:, place].any()]
    rows = [(variables, *(int(numbers[variables, place]) for place in present)) for variables in range(len(numbers))]
    return output.table(("variables", *(STATUSES[place] for place in present)), rows)


def _listed(output: Output, found: TableLattice, sets: tuple[tuple[int, ...], ...], title: str) -> list[Any]:
    """Return sets of variables as a table, the first ones where there are many; nothing for none."""
    named = [axes for axes in sets if axes]
    if not named:
        return []
    shown: list[Any] = [output.table((title,), [(_marginal(found, axes),) for axes in named[:_MOST_ROWS]])]
    if len(named) > _MOST_ROWS:
        shown.append(f"and {len(named) - _MOST_ROWS} more; --json has all")
    return shown
