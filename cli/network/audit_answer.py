"""What `auditor network audit` answers: the object for machines, the tables for people."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import typer
from numpy.typing import ArrayLike

from auditor.exports.manifest import is_as_released, remark_of_change
from auditor.formats.networks.loaded import LoadedNetwork
from auditor.policy import Policy
from auditor.subjects.networks.auditing import ATTRIBUTES, NetworkAudit
from auditor.subjects.networks.policy import NetworkPolicy
from cli.terminal.output import Output
from cli.terminal.subject import Subject
from graphkit.networks.attackers.attributes import attribute_sets
from graphkit.networks.attackers.knowledge import KNOWLEDGE, candidate_sets
from graphkit.networks.risk.candidates import CandidateRisk, CandidateSets
from graphkit.numbers import count, share

_CURVE = (2, 3, 5, 10, 20, 50, 100)
_FIGURES = ("vertices_below_k", "share_below_k", "unique_vertices", "reidentification_rate")
"""Figures of every risk, by their names in JSON."""


@dataclass(frozen=True, slots=True)
class ExposedVertex:
    """A vertex and how many it can be taken for. Protected."""

    vertex: int | str
    """Its label."""
    candidates: int
    """Vertices that look the same, itself included."""


Exposed = dict[str, list[ExposedVertex]]


def exposed_vertices(
    network: LoadedNetwork,
    policy: NetworkPolicy,
    names: Iterable[str],
    attributes: Mapping[str, ArrayLike] | None = None,
) -> Exposed:
    """Return the vertices with fewer than k candidates under each knowledge, fewest candidates first. Protected."""
    exposed: Exposed = {}
    labels = network.labels.tolist()
    known: dict[str, CandidateSets] = {name: candidate_sets(network.graph, name, policy.hubs) for name in names}
    if attributes:
        known[ATTRIBUTES] = attribute_sets(network.graph, attributes)
    for name, sets in known.items():
        candidates, below = sets.candidates(), sets.below(policy.k)
        found = [ExposedVertex(labels[v], int(candidates[v])) for v in below.tolist()]
        exposed[name] = sorted(found, key=lambda vertex: vertex.candidates)
    return exposed


def answer_audit(
    output: Output,
    subject: Subject,
    rules: Policy,
    result: NetworkAudit,
    remarks: Sequence[str],
    audit: str | None = None,
    exposed: Exposed | None = None,
    read: dict[str, Any] | None = None,
    attributes: Sequence[str] = (),
) -> None:
    """Answer with the figures, and end with exit code 1 where the policy is violated.

    Parameters
    ----------
    audit : str, optional
        Id of the audit that was recorded.
    exposed : dict, optional
        Vertices that are named. Protected.
    read : dict, optional
        How the file was understood.
    attributes : sequence of str
        Names of those that were measured together with the degree.
    """
    as_released = None if subject.path is None else is_as_released(subject.path)
    output.note(*remarks)
    if subject.path is not None and as_released is False:
        output.note(remark_of_change(subject.path, "network"))
    released = {None: None, True: "unchanged", False: "changed"}[as_released]
    data = {**_data(subject.shown, rules, result), "audit": audit, "read": read, "released_file": released}
    shown = _shown(output, subject, result, exposed, attributes)
    output.answer(data if exposed is None else {**data, "exposed": exposed}, *shown)
    if result.verdict == "violated":
        raise typer.Exit(1)


def _data(name: str, rules: Policy, result: NetworkAudit) -> dict[str, Any]:
    """Return the object; docs/network-audit.md explains its keys."""
    risk = result.risk
    return {
        "network": name,
        "verdict": result.verdict,
        "policy": {"hash": rules.digest(), "network": rules.network},
        "vertices": risk.n,
        "k": risk.k,
        **{figure: getattr(risk, figure) for figure in (*_FIGURES, "blocks_below_k", "smallest_block")},
        "blocks": [
            {"degree": degree, "vertices": size} for degree, size in enumerate(risk.block_sequence.tolist()) if size
        ],
        "curve": _curve(risk),
        "knowledge": {known: _risk_data(more) for known, more in {"degree": risk, **result.given}.items()},
        "findings": result.findings,
    }


def _shown(
    output: Output, subject: Subject, result: NetworkAudit, exposed: Exposed | None, attributes: Sequence[str]
) -> list[Any]:
    """Return the tables and lines."""
    risk, table = result.risk, output.table
    figures = [
        ("vertices", risk.n),
        (f"in blocks of fewer than {risk.k}", f"{count(risk.vertices_below_k)} ({share(risk.share_below_k)})"),
        ("the only one of their degree", risk.unique_vertices),
        ("smallest block", risk.smallest_block),
        ("hit rate of a guess within the right block", share(risk.reidentification_rate)),
    ]
    curve = [(k, risk.below(k), share(risk.below(k) / risk.n) if risk.n else "–") for k in _CURVE]
    shown: list[Any] = [
        f"{subject.shown}: {result.verdict}",
        table(("figure", "value"), figures),
        table(("k", "vertices in smaller blocks", "share"), curve, title="The more an attacker must be unsure"),
    ]
    if result.given:
        shown.append(_knowledge_table(output, result, attributes))
    if result.findings:
        rows = [(f.rule, f.severity, f.message) for f in result.findings]
        shown.append(table(("rule", "severity", "what was found"), rows, title="Findings"))
    if exposed is not None:
        # lines, not a table: the owner may want them all, and there may be many
        shown += ["Protected: vertices with too few candidates (knowledge, candidates, vertex)", _lines(exposed)]
    is_held = subject.live is None
    if is_held and any(finding.where == "degrees" for finding in result.findings) and risk.k <= risk.n:
        shown += output.advice(f"Next: auditor network anonymize {subject.argument} --k {risk.k} --out FILE")
    return shown


def _knowledge_table(output: Output, result: NetworkAudit, attributes: Sequence[str]) -> Any:
    together = f"how many contacts, and {', '.join(attributes)}"
    rows = [
        (
            name,
            together if name == ATTRIBUTES else KNOWLEDGE[name].text,
            f"{_at_least(risk)}{count(risk.vertices_below_k)} ({share(risk.share_below_k)})",
            f"{_at_least(risk)}{count(risk.unique_vertices)}",
            f"{_at_least(risk)}{share(risk.reidentification_rate)}",
        )
        for name, risk in {"degree": result.risk, **result.given}.items()
    ]
    columns = ("knowledge", "what is known", f"fewer than {result.risk.k} candidates", "a single one", "a guess hits")
    return output.table(columns, rows, title="What more knowledge singles out")


def _at_least(risk: CandidateRisk) -> str:
    return "≥ " if risk.undecided else ""


def _curve(risk: CandidateRisk) -> list[dict[str, int]]:
    return [{"k": k, "below": risk.below(k)} for k in _CURVE]


def _risk_data(risk: CandidateRisk) -> dict[str, Any]:
    return {
        "vertices": risk.n,
        "candidate_sets": risk.classes,
        **{figure: getattr(risk, figure) for figure in (*_FIGURES, "undecided")},
        "sets_below_k": risk.classes_below_k,
        "smallest_set": risk.smallest_class,
        "curve": _curve(risk),
    }


def _lines(exposed: Exposed) -> str:
    rows = [(name, vertex) for name, found in exposed.items() for vertex in found]
    return "\n".join(f"{name:<10}  {row.candidates:>6}  {_one_line(row.vertex)}" for name, row in rows) or "none"


def _one_line(label: int | str) -> str:
    return str(label).replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")
