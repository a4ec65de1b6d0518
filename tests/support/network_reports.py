"""Reports about small networks, made without a store."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np

from auditor.subjects.networks.auditing import NetworkAudit, audit_network, measure_risks, wanted_knowledge
from auditor.subjects.networks.policy import NetworkPolicy
from auditor.subjects.networks.report.network_report import Making, NetworkReport, Release
from graphkit.networks import anonymize, degree_risk
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.releasing.relabelling import relabel
from graphkit.networks.risk.candidates import CandidateRisk
from graphkit.networks.utility import ASPECTS, compare, utility
from graphkit.networks.verify import DegreeClaim, verify_release

__all__ = ["report_with_release", "report_without_release", "scale_free_graph"]

# a page is about what was found, however good
_EFFORT = 0.5
AT = datetime(2026, 3, 4, 5, 6, tzinfo=UTC)


def scale_free_graph(n: int = 300, seed: int = 1) -> SimpleGraph:
    """A graph with a few hubs: each new vertex is joined to two ends of earlier edges."""
    rng = np.random.default_rng(seed)
    ends = [0, 1]
    for vertex in range(2, n):
        for other in {ends[i] for i in rng.integers(len(ends), size=2)}:
            ends += [vertex, other]
    return SimpleGraph.from_edges(np.array(ends).reshape(-1, 2), n)


def given_of(graph: SimpleGraph, k: int) -> dict[str, CandidateRisk]:
    policy = NetworkPolicy(k=k)
    return measure_risks(graph, policy, wanted_knowledge(["all"], policy))


def audit_of(graph: SimpleGraph, k: int) -> NetworkAudit:
    return audit_network(graph.block_sequence(), NetworkPolicy(k=k), given_of(graph, k))


def report_without_release(graph: SimpleGraph, k: int = 3, name: str = "friends") -> NetworkReport:
    """An audit and nothing more."""
    return NetworkReport(name, AT, audit_of(graph, k), utility(graph), version="1.2.3")


def report_with_release(graph: SimpleGraph, k: int = 3, name: str = "friends", file: str = "out.csv") -> NetworkReport:
    """A network, and a version of it that an engine made and that was verified."""
    result = anonymize(graph, k, effort=_EFFORT)
    published = np.arange(graph.n)[::-1].copy()
    released = relabel(graph, result.edges, published)
    comparison = compare(graph, released, published=published, aspects=tuple(ASPECTS))
    claim = DegreeClaim(k=k, n=graph.n)
    release = Release(
        export="6c1d3a0e-0000-4000-8000-00000000abcd",
        file=file,
        files={file: "ab" * 32},
        verified_at=AT,
        claim=claim,
        verification=verify_release(claim, released.edges, np.arange(released.n), graph, published),
        risk=degree_risk(released.block_sequence(), k),
        utility=comparison.after,
        comparison=comparison,
        making=Making(result.size, result.lower_bound, result.method, result.status),
        given=given_of(released, k),
    )
    return NetworkReport(name, AT, audit_of(graph, k), comparison.before, release, "1.2.3")
