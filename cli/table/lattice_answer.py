"""What `auditor table lattice` and `auditor table frontier` answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from auditor.formats.tables.words import in_words
from cli.terminal.output import Output
from graphkit.numbers import count

if TYPE_CHECKING:
    from auditor.policy import Policy
    from auditor.subjects.tables.releases.lattice import TableLattice

_MOST_SHOWN_VARIABLES = 5
_MOST_ROWS = 50


def lattice_shown(output: Output, found: TableLattice, data: dict[str, Any]) -> list[Any]:
    """Return tables and lines; `data` is what ``--json`` prints."""
    shown: list[Any] = [_in_words(found, data)]
    if len(found.names) <= _MOST_SHOWN_VARIABLES:
        rows = [
            (in_words(one["marginal"], {}) if one["marginal"] else "total", one["status"]) for one in data["marginals"]
        ]
        shown.append(output.table(("marginal", "status"), rows))
    else:
        shown.append(_levels(output, found))
        shown += _listed(output, data["released_frontier"], "Largest released")
        shown += _listed(output, data["unreleasable_frontier"], "Smallest unreleasable")
        if found.frontier is not None:
            shown += _listed(output, found.named(found.frontier.maximal_releasable), "Largest releasable")
    shown += [f"out, too, with merged categories: {in_words(one.names, one.merged)}" for one in data["merged"]]
    simulated = data["simulated_marginals"]
    if simulated:
        listed = "; ".join(in_words(one.names, one.merged) for one in simulated[:_MOST_ROWS])
        more = f"; and {len(simulated) - _MOST_ROWS} more" if len(simulated) > _MOST_ROWS else ""
        shown.append(f"simulated: {listed}{more}")
    if data["picture"] is not None:
        shown.append(f"drawn: {data['picture']}")
    return shown


def frontier_shown(output: Output, found: TableLattice, data: dict[str, Any]) -> list[Any]:
    """Return tables and lines; `data` is what ``--json`` prints."""
    lines = [_in_words(found, data)]
    if data["out_is_safe"] is False:
        lines.append("the released marginals already violate the policy: nothing more may be released")
    return [
        "\n".join(lines),
        _levels(output, found),
        *_listed(output, data["maximal_releasable"], "Largest releasable, each alone"),
        *_listed(output, data["minimal_unreleasable"], "Smallest unreleasable"),
        *_listed(output, data["unsettled"], "Tried, and neither answer proven"),
    ]


def picture_of(found: TableLattice, policy: Policy) -> str:
    """Return the lattice as SVG."""
    from auditor.subjects.tables.charts.lattice import lattice_picture
    from auditor.subjects.tables.releases.lattice import STATUSES

    remark = "what was answered; what would be is not decided"
    if found.frontier is not None:
        remark = f"what was answered, and what would be under the policy {policy.digest()[:12]}"
    return lattice_picture(found.state.row.name, remark, found.names, STATUSES, found.statuses)


def _in_words(found: TableLattice, data: dict[str, Any]) -> str:
    counts = ", ".join(f"{count(number)} {status}" for status, number in data["statuses"].items() if number)
    return f"{data['table']}: {count(found.statuses.size)} marginals: {counts}"


def _levels(output: Output, found: TableLattice) -> Any:
    from auditor.subjects.tables.releases.lattice import STATUSES

    numbers = found.by_level()
    present = [place for place in range(len(STATUSES)) if numbers[:, place].any()]
    rows = [(variables, *(int(numbers[variables, place]) for place in present)) for variables in range(len(numbers))]
    return output.table(("variables", *(STATUSES[place] for place in present)), rows)


def _listed(output: Output, named: list[list[str]], title: str) -> list[Any]:
    """Return sets of variables as a table, the first ones where there are many; nothing for none."""
    if not named:
        return []
    shown: list[Any] = [output.table((title,), [(in_words(names, {}),) for names in named[:_MOST_ROWS]])]
    if len(named) > _MOST_ROWS:
        shown.append(f"and {len(named) - _MOST_ROWS} more; --json has all")
    return shown
