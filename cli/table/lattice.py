"""`auditor table lattice` and `auditor table frontier`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.terminal.completing import stored
from cli.terminal.context import Context, context_of
from cli.terminal.policy_option import PolicyOption, PresetOption, policy_of

if TYPE_CHECKING:
    from auditor.policy import Policy
    from auditor.subjects.tables.releases.lattice import TableLattice
    from auditor.subjects.tables.stored.releases import TableState
    from cli.terminal.output import Progress

NameArgument = Annotated[str, typer.Argument(autocompletion=stored("table"), help="Name of a stored table.")]
TimeOption = Annotated[
    float, typer.Option("--time-limit", metavar="SECONDS", help="Time limit in seconds; the rest is undecided.")
]


def lattice(
    ctx: typer.Context,
    name: NameArgument,
    decide: Annotated[
        bool, typer.Option("--decide", metavar="", help="Also decide the open marginals (recorded in the ledger).")
    ] = False,
    policy: PolicyOption = None,
    preset: PresetOption = None,
    time_limit: TimeOption = 60.0,
    picture: Annotated[
        Path | None, typer.Option("--picture", metavar="FILE.svg", help="Draw the lattice into this file.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", metavar="", help="Overwrite the picture.")] = False,
) -> None:
    """Show the status of all marginals of a table: released, implied, refused.

    With --decide, also which of the others could go out next, one alone, as `table frontier` finds it: that is for the
    officer. What is drawn depends on the number of variables: boxes with names up to 6, marks up to 12, then bars.

    Example: auditor table lattice survey --picture lattice.svg

    Example: auditor table lattice survey --decide --policy strict.toml
    """
    from auditor.core.errors import BadInput
    from auditor.subjects.tables.charts.picture import check_picture, write_picture
    from auditor.subjects.tables.releases.lattice import read_lattice
    from auditor.subjects.tables.representations.lattice import lattice_data, simulated_marginals
    from cli.table.lattice_answer import lattice_shown, picture_of
    from cli.terminal.subject import find_table

    context = context_of(ctx)
    if not (policy is None and preset is None) and not decide:
        raise BadInput("--policy and --preset are for --decide: what was answered is shown as it was answered")
    _check_limit(time_limit)
    rules = policy_of(context, policy, preset)
    check_picture(picture, force=force)
    with context.output.progress(f"lattice {name}") as bar:
        bar.phase("read")
        info = find_table(context, name)
        found, state = read_lattice(context.store, info.name)
        simulated = simulated_marginals(state)
        if decide:
            found = _decided(context, found, state, rules, time_limit, bar)
        if picture is not None:
            bar.phase("draw")
            write_picture(picture, picture_of(info.name, found, rules), force=force)
    context.output.answer(
        lattice_data(info.name, found, rules, picture, simulated),
        *lattice_shown(context.output, info.name, found, picture, simulated),
    )
    if found.frontier is not None and not found.frontier.complete:
        raise typer.Exit(3)


def frontier(
    ctx: typer.Context,
    name: NameArgument,
    policy: PolicyOption = None,
    preset: PresetOption = None,
    time_limit: TimeOption = 60.0,
) -> None:
    """Show the largest releasable and the smallest unreleasable marginals, each considered alone.

    Everything within a releasable marginal is releasable, everything above an unreleasable one is not. It is for the
    officer, since it discloses what would be refused; the ledger records the view. It is computed each time, since
    each release changes it. Exit code 3: the time limit was reached before all marginals were decided.

    Example: auditor table frontier survey

    Example: auditor table frontier survey --policy strict.toml --time-limit 300
    """
    from auditor.subjects.tables.releases.lattice import read_lattice
    from auditor.subjects.tables.representations.lattice import frontier_data
    from cli.table.lattice_answer import frontier_shown
    from cli.terminal.subject import find_table

    context = context_of(ctx)
    _check_limit(time_limit)
    rules = policy_of(context, policy, preset)
    with context.output.progress(f"frontier {name}") as bar:
        bar.phase("read")
        info = find_table(context, name)
        known, state = read_lattice(context.store, info.name)
        found = _decided(context, known, state, rules, time_limit, bar)
    context.output.answer(frontier_data(info.name, found, rules), *frontier_shown(context.output, info.name, found))
    assert found.frontier is not None
    if not found.frontier.complete:
        raise typer.Exit(3)


def _check_limit(time_limit: float) -> None:
    """Tell of a time limit that cannot be meant before the store is opened."""
    import time

    from graphkit.budget import Budget

    Budget(time.monotonic, time_limit)


def _decided(
    context: Context, known: TableLattice, state: TableState, rules: Policy, time_limit: float, bar: Progress
) -> TableLattice:
    """Return the lattice with what would be answered; what that is no promise of is told on stderr."""
    import time

    from auditor.subjects.tables.releases.lattice import decided_lattice
    from cli.terminal.actor import current_actor

    found = decided_lattice(
        context.store,
        known,
        state,
        rules,
        actor=current_actor(),
        time_limit=time_limit,
        clock=time.monotonic,
        report=lambda done, total: bar.report("decide", done, total),
    )
    if found.simulated:
        context.output.note("all further answers come from a simulated table: none will follow what is shown here")
    elif rules.table.refusals == "sampled":
        context.output.note("the policy decides over tables that are drawn: an answer may be another one")
    return found
