"""`auditor table lattice` and `auditor table frontier`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.table import options
from cli.terminal.context import Context
from cli.terminal.names import as_names
from cli.terminal.output import Progress
from cli.terminal.policy_option import PolicyOption, PresetOption, policy_of

if TYPE_CHECKING:
    from auditor.policy import Policy
    from auditor.subjects.tables.releases.lattice import TableLattice


def lattice(
    context: Context,
    name: options.Name,
    decide: Annotated[
        bool, typer.Option("--decide", metavar="", help="Also decide the open marginals (recorded in the ledger).")
    ] = False,
    policy: PolicyOption = None,
    preset: PresetOption = None,
    time_limit: options.TimeLimit = 60.0,
    picture: options.Picture = None,
    force: options.Force = False,
) -> None:
    """Show the status of all marginals of a table: released, implied, refused.

    With --decide, also which of the others could go out next, one alone, as `table frontier` finds it: that is for the
    officer. What is drawn depends on the number of variables: boxes with names up to 6, marks up to 12, then bars.

    Example: auditor table lattice survey --picture lattice.svg

    Example: auditor table lattice survey --decide --policy strict.toml
    """
    from auditor.core.errors import BadInput
    from auditor.reports.writing import write_page
    from auditor.subjects.tables.charts.picture import check_picture
    from auditor.subjects.tables.representations.lattice import lattice_data
    from cli.table.lattice_answer import lattice_shown, picture_of

    if not (policy is None and preset is None) and not decide:
        raise BadInput("--policy and --preset are for --decide: what was answered is shown as it was answered")
    rules = policy_of(context, policy, preset)
    check_picture(picture, force=force)
    with context.output.progress(f"lattice {name}") as bar:
        found = _read(context, name, rules, time_limit if decide else None, bar)
        if picture is not None:
            bar.phase("draw")
            write_page(picture, picture_of(found, rules), force=force)
    data = lattice_data(found.state.row.name, found, rules, picture)
    context.output.answer(data, *lattice_shown(context.output, found, data))
    _end(found)


def frontier(
    context: Context,
    name: options.Name,
    policy: PolicyOption = None,
    preset: PresetOption = None,
    time_limit: options.TimeLimit = 60.0,
    within: Annotated[
        Any,
        typer.Option("--within", metavar="A,B", parser=as_names, help="Decide only this marginal and those within it."),
    ] = None,
) -> None:
    """Show the largest releasable and the smallest unreleasable marginals, each considered alone.

    Everything within a releasable marginal is releasable, everything above an unreleasable one is not. It is for the
    officer, since it discloses what would be refused; the ledger records the view. It is computed each time, since
    each release changes it. Exit code 3: the time limit was reached before all marginals were decided.

    With --within, only what could be released in the place of one marginal: itself, and what has fewer variables.

    Example: auditor table frontier survey

    Example: auditor table frontier survey --within sex,illness,age

    Example: auditor table frontier survey --policy strict.toml --time-limit 300
    """
    from auditor.subjects.tables.representations.lattice import frontier_data
    from cli.table.lattice_answer import frontier_shown

    rules = policy_of(context, policy, preset)
    with context.output.progress(f"frontier {name}") as bar:
        found = _read(context, name, rules, time_limit, bar, within)
    data = frontier_data(found.state.row.name, found, rules)
    context.output.answer(data, *frontier_shown(context.output, found, data))
    _end(found)


def _read(
    context: Context,
    name: str,
    rules: Policy,
    time_limit: float | None,
    bar: Progress,
    within: Sequence[str] | None = None,
) -> TableLattice:
    """Return the lattice, within a time limit also what would be answered; what that is no promise of is noted."""
    import time

    from auditor.subjects.tables.releases.lattice import decided_lattice, read_lattice
    from cli.terminal.subject import find_table

    bar.phase("read")
    known = read_lattice(context.store, find_table(context, name).name)
    if time_limit is None:
        return known
    found = decided_lattice(
        context.store,
        known,
        rules,
        actor=context.actor,
        time_limit=time_limit,
        clock=time.monotonic,
        report=lambda done, total: bar.report("decide", done, total),
        within=within,
    )
    if found.simulated:
        context.output.note("all further answers come from a simulated table: none will follow what is shown here")
    elif rules.table.refusals == "sampled":
        context.output.note("the policy decides over tables that are drawn: an answer may be another one")
    return found


def _end(found: TableLattice) -> None:
    if found.frontier is not None and not found.complete:
        raise typer.Exit(3)
