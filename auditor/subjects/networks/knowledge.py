"""What of the risk under more knowledge than a degree an audit has to measure."""

from __future__ import annotations

from collections.abc import Iterable

from auditor.core.errors import BadInput
from auditor.subjects.networks.policy import NetworkPolicy
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.risk.candidates import CandidateRisk


def wanted_knowledge(asked: Iterable[str], policy: NetworkPolicy) -> tuple[str, ...]:
    """Return what is to be measured beside the degree: what was asked for, and what the policy limits.

    Parameters
    ----------
    asked : iterable of str
        Names of knowledge; ``all`` is every one.
    policy : NetworkPolicy
        The thresholds.

    Raises
    ------
    BadInput
        If a name is unknown.

    Examples
    --------
    >>> wanted_knowledge(["hubs", "degree"], NetworkPolicy(max_share_below_k_ego=0.5))
    ('ego', 'hubs')
    """
    from graphkit.networks.attackers.knowledge import KNOWLEDGE

    asked = set(asked)
    for name in sorted(asked - KNOWLEDGE.keys() - {"all"}):
        raise BadInput(f"unknown knowledge {name!r}; known: {', '.join(KNOWLEDGE)}, all")
    names = set(KNOWLEDGE) if "all" in asked else asked | policy.shares_given.keys()
    return tuple(name for name in KNOWLEDGE if name in names and name != "degree")


def measure_risks(graph: SimpleGraph, policy: NetworkPolicy, names: Iterable[str]) -> dict[str, CandidateRisk]:
    """Return the risk of a graph under each knowledge, with the k and the hubs of a policy."""
    from graphkit.networks.attackers.knowledge import structural_risk

    return structural_risk(graph, policy.k, tuple(names), hubs=policy.hubs)
