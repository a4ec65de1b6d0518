"""`auditor network audit`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.context import Context, context_of
from cli.options import (
    DelimiterOption,
    FormatOption,
    HeaderOption,
    NetworkArgument,
    SymmetrizeOption,
    VerticesOption,
)

if TYPE_CHECKING:
    from auditor.audits.network import NetworkAudit
    from auditor.policy import Policy
    from cli.reading import Reading
    from cli.subject import Subject

__all__ = ["audit", "policy_of"]

_CURVE = (2, 3, 5, 10, 20, 50, 100)


def audit(
    ctx: typer.Context,
    network: NetworkArgument,
    k: Annotated[int | None, typer.Option("--k", "-k", help="Required block size; overrules the policy.")] = None,
    policy: Annotated[Path | None, typer.Option("--policy", help="Policy file (TOML).")] = None,
    symmetrize: SymmetrizeOption = False,
    format: FormatOption = None,
    vertices: VerticesOption = None,
    delimiter: DelimiterOption = None,
    header: HeaderOption = None,
) -> None:
    """Tell how exposed a network is to somebody who knows a degree, and whether that violates the policy.

    A stored network's audit is recorded. Exit code 1 when the policy is violated.

    Example: auditor network audit friends.csv --k 5
    """
    import time

    from auditor.audits.network import audit_network
    from cli.reading import Reading

    context = context_of(ctx)
    rules = policy_of(policy, k)
    started = time.monotonic()
    subject, blocks, remarks = _block_sequence(
        context, network, Reading(symmetrize, format, vertices, delimiter, header)
    )
    result = audit_network(blocks, rules.network)
    identifier = None
    if subject.stored is not None:
        from auditor.audits.recording import record_network_audit
        from cli.actor import current_actor

        identifier = record_network_audit(
            context.store,
            subject.stored,
            rules,
            result,
            trigger="command",
            seconds=time.monotonic() - started,
            actor=current_actor(),
        )
    for remark in remarks:
        context.output.note(remark)
    context.output.answer(_as_data(subject.shown, rules, result, identifier), *_shown(context, subject, result))
    if result.verdict == "violated":
        raise typer.Exit(1)


def policy_of(path: Path | None, k: int | None) -> Policy:
    """Return the policy of a file, or the default one, with k overruled.

    Raises
    ------
    BadInput
        As :func:`auditor.policy.load_policy`.
    InvalidInput
        If `k` is below 2.
    """
    from auditor.policy import Policy, load_policy
    from graphkit.errors import InvalidInput

    policy = load_policy(path) if path is not None else Policy()
    if k is None:
        return policy
    if k < 2:
        raise InvalidInput(f"k ({k}) must be at least 2")
    return policy.model_copy(update={"network": policy.network.model_copy(update={"k": k})})


def _block_sequence(context: Context, argument: str, reading: Reading) -> tuple[Any, Any, list[str]]:
    """Return the subject, its block sequence and what the reader had to say."""
    import numpy as np

    from cli.reading import remarks_of
    from cli.subject import find_network

    subject = find_network(context, argument)
    reading.check_useful(subject)
    if subject.stored is not None:
        return subject, context.store.networks.block_sequence(subject.stored.name), []
    assert subject.path is not None
    loaded = reading.read(subject.path)
    degrees = loaded.graph.degrees()
    return subject, np.bincount(degrees) if degrees.size else degrees, remarks_of(loaded.notes)


def _as_data(name: str, rules: Policy, result: NetworkAudit, identifier: str | None) -> dict[str, Any]:
    risk = result.risk
    return {
        "network": name,
        "verdict": result.verdict,
        "policy": {"hash": rules.digest(), "network": rules.network},
        "vertices": risk.n,
        "k": risk.k,
        "vertices_below_k": risk.vertices_below_k,
        "share_below_k": risk.share_below_k,
        "blocks_below_k": risk.blocks_below_k,
        "unique_vertices": risk.unique_vertices,
        "smallest_block": risk.smallest_block,
        "reidentification_rate": risk.reidentification_rate,
        "blocks": [
            {"degree": degree, "vertices": size} for degree, size in enumerate(risk.block_sequence.tolist()) if size
        ],
        "curve": [{"k": k, "below": risk.below(k)} for k in _CURVE],
        "findings": result.findings,
        "audit": identifier,
    }


def _shown(context: Context, subject: Subject, result: NetworkAudit) -> list[Any]:
    risk, table = result.risk, context.output.table
    figures = [
        ("vertices", risk.n),
        (f"in blocks of fewer than {risk.k}", f"{risk.vertices_below_k} ({risk.share_below_k:.2%})"),
        ("the only one of their degree", risk.unique_vertices),
        ("smallest block", risk.smallest_block),
        ("hit rate of a guess within the right block", f"{risk.reidentification_rate:.3%}"),
    ]
    curve = [(k, risk.below(k), f"{risk.below(k) / risk.n:.2%}" if risk.n else "–") for k in _CURVE]
    shown: list[Any] = [
        f"{subject.shown}: {result.verdict}",
        table(("figure", "value"), figures),
        table(("k", "vertices in smaller blocks", "share"), curve, title="The more an attacker must be unsure"),
    ]
    if result.findings:
        rows = [(f.rule, f.severity, f.message) for f in result.findings]
        shown.append(table(("rule", "severity", "what was found"), rows, title="Findings"))
    if result.findings and risk.k <= risk.n:
        shown.append(f"Next: auditor network anonymize {subject.argument} --k {risk.k} --out FILE")
    return shown
