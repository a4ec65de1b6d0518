"""`auditor network audit`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from auditor.core.errors import BadInput
from cli.network.edge_table import InDatabase
from cli.network.live import FromGraph, read_live
from cli.network.policies import policy_for_network
from cli.terminal.completing import aspects_of_knowledge
from cli.terminal.context import Context
from cli.terminal.options import NetworkArgument
from cli.terminal.policy_option import PolicyOption, PresetOption
from cli.terminal.reading import Reading, read_data, remarks_of
from cli.terminal.records import refuse_together, said
from cli.terminal.subject import Subject
from graphkit.numbers import counted

if TYPE_CHECKING:
    from auditor.formats.edge_tables.reading import EdgeTableFiles
    from auditor.formats.networks.remarks import ReadSummary
    from auditor.policy import Policy
    from auditor.subjects.networks.auditing import NetworkAudit
    from auditor.subjects.networks.repository import NetworkInfo
    from cli.network.audit_answer import Exposed


def audit(
    context: Context,
    network: NetworkArgument,
    *,
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
    attribute: Annotated[
        list[str] | None,
        typer.Option(
            "--attribute",
            help="Attribute that an attacker knows beside the degree; of a graph database, a property (repeatable).",
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
    reading: Reading,
    database: InDatabase,
    graph: FromGraph,
) -> None:
    """Audit a network: how many vertices can be singled out by their degree, or by more knowledge?

    Degree anonymity decides unless the policy limits more. A stored network's audit is recorded. Exit code 1 when the
    policy is violated. `--labels` names people: it is for the owner of the data, on purpose.

    Example: auditor network audit friends.csv --k 5

    NAME may be the address of a graph database: degrees are counted there, and nothing is stored.

    Example: auditor network audit friends.csv --k 5 --knowledge all

    Example: auditor network audit friends.csv --k 5 --attribute sex --attribute age

    Example: auditor network audit neo4j://graph.example:7687 --nodes Person --relationships KNOWS --k 5
    """
    import time

    from auditor.config.addresses import is_graph_address
    from auditor.subjects.networks.auditing import audit_graph, audit_network, wanted_knowledge
    from auditor.subjects.networks.exports.attributes import choose_attributes
    from auditor.subjects.networks.repository import Networks
    from cli.network.audit_answer import answer_audit, exposed_vertices

    rules = policy_for_network(context, policy, preset, k, hubs)
    names = wanted_knowledge(knowledge or (), rules.network)
    attributes = list(dict.fromkeys(attribute or ()))
    asked_hubs = "hubs" in names and (hubs is not None or "hubs" in (knowledge or ()))
    if is_graph_address(network):
        refuse_together("a graph database", {"labels": labels, **said(reading), **said(database)})
        _audit_graph(context, network, rules, graph, names, attributes, asked_hubs)
        return
    graph.check_file()
    more = {"knowledge": names, "attribute": attributes, "labels": labels}
    database.check(network, {**more, **said(reading, but=("vertices",))})
    if database.edge_table:
        blocks, read = _blocks_in_database(context, database.files(context, network, reading.vertices))
        subject, result = Subject(path=Path(network), edge_table=True), audit_network(blocks, rules.network)
        answer_audit(context.output, subject, rules, result, remarks_of(read), read=read_data(read))
        return
    started, exposed, identifier = time.monotonic(), None, None
    subject = reading.find(context, network)
    if subject.stored is not None and not (names or attributes or labels):
        # the database counts the degrees of a stored network; for all else it has to be read
        loaded = None
        result = audit_network(Networks(context.store).block_sequence(subject.stored.name), rules.network)
    else:
        loaded = reading.load(context, subject)
        _check_hubs(loaded.graph.n, rules, asked_hubs)
        known = choose_attributes(loaded.attributes, attributes, "--attribute", loaded.notes.columns_of_ties)
        result = audit_graph(loaded.graph, rules.network, names, known)
        exposed = exposed_vertices(loaded, rules.network, ("degree", *names), known) if labels else None
    if subject.stored is not None:
        from auditor.subjects.networks.port import drift_of

        drift = drift_of(context.store, subject.stored, result.risk.block_sequence)
        result = replace(result, findings=(*result.findings, *drift))
        identifier = _record(context, subject.stored, rules, result, time.monotonic() - started, exposed)
    answer_audit(
        context.output, subject, rules, result, remarks_of(loaded), identifier, exposed, read_data(loaded), attributes
    )


def _audit_graph(
    context: Context,
    address: str,
    rules: Policy,
    graph: FromGraph,
    names: Sequence[str],
    attributes: Sequence[str],
    asked_hubs: bool,
) -> None:
    """Audit a graph database where it is; it is read only for more knowledge than degrees."""
    from auditor.subjects.networks.auditing import audit_graph, audit_network
    from auditor.subjects.networks.live.origin import count_live
    from cli.network.audit_answer import answer_audit

    origin = graph.origin(address, attributes=attributes)
    subject = Subject(live=origin.shown)
    if names or attributes:
        loaded = read_live(context, origin)
        _check_hubs(loaded.graph.n, rules, asked_hubs)
        for name, values in loaded.attributes.items():
            if not any(values):
                # it would single nobody out, as if it were harmless
                raise BadInput(f"no vertex has a property {name!r} that could be compared; check --attribute")
        result = audit_graph(loaded.graph, rules.network, names, loaded.attributes)
        answer_audit(
            context.output, subject, rules, result, remarks_of(loaded), read=read_data(loaded), attributes=attributes
        )
        return
    with context.output.progress("audit") as bar:
        bar.phase("count in the graph database")
        blocks = count_live(context.settings, origin)
    answer_audit(context.output, subject, rules, audit_network(blocks, rules.network), [])


def _check_hubs(vertices: int, rules: Policy, asked: bool) -> None:
    """Refuse so many hubs that no other vertex is left, where somebody asks about hubs: a 0 would read as no risk.

    Raises
    ------
    BadInput
        If that is so.
    """
    if asked and rules.network.hubs >= vertices:
        raise BadInput(
            f"the number of hubs ({rules.network.hubs}) leaves no other vertex to be singled out: the network has "
            f"{counted(vertices, 'vertex', 'vertices')}; say fewer (--hubs)"
        )


def _blocks_in_database(context: Context, files: EdgeTableFiles) -> tuple[Any, ReadSummary]:
    """Return the block sequence of an edge table, and how it was understood."""
    import tempfile

    with context.output.progress("audit") as bar:
        bar.phase("read")
        with files.opened(Path(tempfile.gettempdir())) as (loaded, view):
            return view.block_sequence(), loaded.summary(view)


def _record(
    context: Context, info: NetworkInfo, rules: Policy, result: NetworkAudit, seconds: float, exposed: Exposed | None
) -> str:
    """Record an audit, and that vertices will be named: before they are. Return its id."""
    from auditor.audits.record import NewAudit
    from auditor.audits.repository import Audits
    from auditor.subjects.networks.port import subject_of

    new = NewAudit(subject_of(info), result.findings, rules.digest(), rules.text(), "command", seconds, context.actor)
    recorded = Audits(context.store).record(new, labels_shown=None if exposed is None else list(exposed))
    return recorded.id
