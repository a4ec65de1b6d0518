"""`auditor network audit`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.network.edge_table import EdgeTableOption, MemoryOption, block_sequence_of, check_edge_table_options
from cli.terminal.completing import aspects_of_knowledge
from cli.terminal.context import Context, context_of
from cli.terminal.options import (
    DelimiterOption,
    FormatOption,
    HeaderOption,
    NetworkArgument,
    SymmetrizeOption,
    VerticesOption,
)
from cli.terminal.policy_option import PolicyOption, PresetOption, policy_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.formats.networks.loaded import LoadedNetwork
    from auditor.policy import Policy
    from auditor.subjects.networks.auditing import NetworkAudit
    from cli.network.exposed import Exposed
    from cli.terminal.subject import Subject


def audit(
    ctx: typer.Context,
    network: NetworkArgument,
    k: Annotated[int | None, typer.Option("--k", "-k", help="Required block size; overrules the policy.")] = None,
    policy: PolicyOption = None,
    preset: PresetOption = None,
    knowledge: Annotated[
        list[str] | None,
        typer.Option(
            "--knowledge",
            autocompletion=aspects_of_knowledge,
            help="What else an attacker knows: ego-size, ego, neighbours, iterated, hubs or all (repeatable).",
        ),
    ] = None,
    hubs: Annotated[
        int | None, typer.Option("--hubs", help="Number of hubs that an attacker knows; overrules the policy.")
    ] = None,
    labels: Annotated[
        bool,
        typer.Option(
            "--labels",
            metavar="",
            help="Name the vertices with fewer than k candidates (recorded in the ledger).",
        ),
    ] = False,
    symmetrize: SymmetrizeOption = False,
    format: FormatOption = None,
    vertices: VerticesOption = None,
    delimiter: DelimiterOption = None,
    header: HeaderOption = None,
    edge_table: EdgeTableOption = False,
    memory: MemoryOption = None,
) -> None:
    """Audit a network: how many vertices can be singled out by their degree, or by more knowledge?

    Degree anonymity decides unless the policy limits more. A stored network's audit is recorded. Exit code 1 when the
    policy is violated. `--labels` names people: it is for the owner of the data, on purpose.

    Example: auditor network audit friends.csv --k 5

    Example: auditor network audit friends.csv --k 5 --knowledge all
    """
    import time

    from auditor.subjects.networks.knowledge import wanted_knowledge
    from cli.network.exposed import exposed_vertices
    from cli.terminal.reading import Reading, read_data
    from cli.terminal.subject import Subject, find_network

    context = context_of(ctx)
    rules = policy_for_network(context, policy, preset, k, hubs)
    names = wanted_knowledge(knowledge or (), rules.network)
    reading = Reading(symmetrize, format, vertices, delimiter, header)
    check_edge_table_options(
        network, edge_table=edge_table, memory=memory, knowledge=names, labels=labels, symmetrize=symmetrize,
        format=format, delimiter=delimiter, header=header,
    )  # fmt: skip
    if edge_table:
        from auditor.subjects.networks.auditing import audit_network

        subject = Subject(path=Path(network), edge_table=True)
        blocks, remarks = block_sequence_of(context, Path(network), vertices, memory)
        _answer(context, subject, rules, audit_network(blocks, rules.network), remarks)
        return
    started = time.monotonic()
    subject = find_network(context, network)
    reading.check_useful(subject)
    # the database counts the degrees of a stored network; for all else it has to be read
    loaded: LoadedNetwork | None = None
    remarks = []
    if subject.stored is None or names or labels:
        loaded, remarks = reading.load(context, subject)
    result = _measure(context, subject, loaded, rules, names)
    exposed: Exposed | None = None
    if labels and loaded is not None:
        exposed = exposed_vertices(loaded, rules.network, ("degree", *names))
    identifier = None
    if subject.stored is not None:
        from auditor.subjects.networks.recording import record_network_audit
        from cli.terminal.actor import current_actor

        recorded = record_network_audit(
            context.store,
            subject.stored,
            rules,
            result,
            trigger="command",
            seconds=time.monotonic() - started,
            actor=current_actor(),
            labels_shown=None if exposed is None else list(exposed),
        )
        identifier = recorded.id
    _answer(context, subject, rules, result, remarks, identifier, exposed, read_data(loaded))


def _answer(
    context: Context,
    subject: Subject,
    rules: Policy,
    result: NetworkAudit,
    remarks: Sequence[str],
    identifier: str | None = None,
    exposed: Exposed | None = None,
    read: dict[str, Any] | None = None,
) -> None:
    from cli.network.audit_answer import answer_data, answer_shown

    for remark in remarks:
        context.output.note(remark)
    context.output.answer(
        {**answer_data(subject.shown, rules, result, identifier, exposed), "read": read},
        *answer_shown(context.output, subject, result, exposed),
    )
    if result.verdict == "violated":
        raise typer.Exit(1)


def policy_for_network(
    context: Context, path: Path | None, preset: str | None, k: int | None, hubs: int | None = None
) -> Policy:
    """Return the policy of a file or preset, or the default one, with k and the number of hubs overruled.

    Raises
    ------
    BadInput
        As :func:`cli.terminal.policy_option.policy_of`.
    InvalidInput
        If `k` is below 2 or `hubs` below 1.
    """
    from graphkit.errors import InvalidInput

    if k is not None and k < 2:
        raise InvalidInput(f"k ({k}) must be at least 2")
    if hubs is not None and hubs < 1:
        raise InvalidInput(f"the number of hubs ({hubs}) must be at least 1")
    policy = policy_of(context, path, preset)
    said = {name: value for name, value in (("k", k), ("hubs", hubs)) if value is not None}
    return policy.model_copy(update={"network": policy.network.model_copy(update=said)}) if said else policy


def _measure(
    context: Context, subject: Subject, loaded: LoadedNetwork | None, rules: Policy, names: Sequence[str]
) -> NetworkAudit:
    from auditor.subjects.networks.auditing import audit_network
    from auditor.subjects.networks.knowledge import measure_risks
    from auditor.subjects.networks.repository import Networks

    if loaded is None:
        assert subject.stored is not None
        return audit_network(Networks(context.store).block_sequence(subject.stored.name), rules.network)
    given = measure_risks(loaded.graph, rules.network, names)
    return audit_network(loaded.graph.block_sequence(), rules.network, given)
