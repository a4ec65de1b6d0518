"""A policy applied to a network."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from numpy.typing import ArrayLike

from auditor.core.errors import BadInput
from auditor.core.finding import Finding
from auditor.subjects.networks.policy import NetworkPolicy, given_rule
from graphkit.errors import BrokenClaim
from graphkit.networks.attackers.attributes import attribute_sets
from graphkit.networks.attackers.knowledge import KNOWLEDGE, structural_risk
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.risk.candidates import CandidateRisk
from graphkit.networks.risk.degree_risk import DegreeRisk, degree_risk
from graphkit.numbers import count, share

Verdict = Literal["passed", "violated"]

ATTRIBUTES = "attributes"
"""How the knowledge of a degree together with attributes is called."""


@dataclass(frozen=True, slots=True, eq=False)
class NetworkAudit:
    """The risk of a network and what of it violates the policy."""

    policy: NetworkPolicy
    risk: DegreeRisk
    findings: tuple[Finding, ...]
    given: Mapping[str, CandidateRisk] = field(default_factory=dict)
    """The risk under more knowledge than a degree, as far as it was measured."""

    @property
    def verdict(self) -> Verdict:
        """`violated` when a finding is a violation."""
        return "violated" if any(finding.severity == "violation" for finding in self.findings) else "passed"


def audit_network(
    block_sequence: ArrayLike, policy: NetworkPolicy, given: Mapping[str, CandidateRisk] | None = None
) -> NetworkAudit:
    """Return the audit of a network under a policy.

    Parameters
    ----------
    block_sequence : array_like of int, shape (Δ+1,)
        ``block_sequence[d]`` vertices have degree d.
    policy : NetworkPolicy
        The thresholds.
    given : mapping of str to CandidateRisk, optional
        The risk under more knowledge, as :func:`measure_risks` returns it: all
        that the policy limits must be among it.

    Raises
    ------
    BrokenClaim
        If the policy limits something that was not measured.

    Examples
    --------
    >>> audit = audit_network([0, 8, 1], NetworkPolicy(k=2))
    >>> audit.verdict, [finding.rule for finding in audit.findings]
    ('violated', ['max_share_below_k', 'max_unique_vertices'])
    """
    risk, given = degree_risk(block_sequence, policy.k), given or {}
    if policy.shares_given.keys() - given.keys():
        raise BrokenClaim("a rule of the policy about more than degrees was not measured")
    findings = [*_share_below_k(risk, policy), *_unique_vertices(risk, policy), *_reidentification(risk, policy)]
    for knowledge, limit in policy.shares_given.items():
        findings += _share_given(knowledge, given[knowledge], policy.k, limit)
    return NetworkAudit(policy, risk, tuple(findings), given)


def wanted_knowledge(asked: Iterable[str], policy: NetworkPolicy) -> tuple[str, ...]:
    """Return what is to be measured beside the degree: what was requested, and what the policy limits.

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
    asked = set(asked)
    for name in sorted(asked - KNOWLEDGE.keys() - {"all"}):
        raise BadInput(f"unknown knowledge {name!r}; known: {', '.join(KNOWLEDGE)}, all")
    names = set(KNOWLEDGE) if "all" in asked else asked | policy.shares_given.keys()
    return tuple(name for name in KNOWLEDGE if name in names and name != "degree")


def measure_risks(graph: SimpleGraph, policy: NetworkPolicy, names: Iterable[str]) -> dict[str, CandidateRisk]:
    """Return the risk of a graph under each knowledge, with the k and the hubs of a policy."""
    return structural_risk(graph, policy.k, tuple(names), hubs=policy.hubs)


def audit_graph(
    graph: SimpleGraph,
    policy: NetworkPolicy,
    knowledge: Iterable[str],
    attributes: Mapping[str, ArrayLike] | None = None,
) -> NetworkAudit:
    """Return the audit of a network under a policy, with the risk under more knowledge than a degree.

    Parameters
    ----------
    graph : SimpleGraph
    policy : NetworkPolicy
    knowledge : iterable of str
        As :func:`wanted_knowledge` returns it.
    attributes : mapping of str to array_like, shape (n,), optional
        Measured as well, as ``attributes``: what is known if the degree and these are.
    """
    given = measure_risks(graph, policy, knowledge)
    if attributes:
        given[ATTRIBUTES] = attribute_sets(graph, attributes).risk(policy.k)
    return audit_network(graph.block_sequence(), policy, given)


def _over(rule: str, where: str, figure: float, limit: float, message: str) -> list[Finding]:
    """Return a violation where a figure is over the limit of a rule."""
    return [] if figure <= limit else [Finding(rule, where, "violation", figure, limit, message)]


def _share_below_k(risk: DegreeRisk, policy: NetworkPolicy) -> list[Finding]:
    message = (
        f"{count(risk.vertices_below_k)} of {count(risk.n)} vertices ({share(risk.share_below_k)}) have a degree that "
        f"fewer than {policy.k} share; allowed: {share(policy.max_share_below_k)}"
    )
    return _over("max_share_below_k", "degrees", risk.share_below_k, policy.max_share_below_k, message)


def _unique_vertices(risk: DegreeRisk, policy: NetworkPolicy) -> list[Finding]:
    alone = "1 vertex is" if risk.unique_vertices == 1 else f"{count(risk.unique_vertices)} vertices are"
    message = (
        f"{alone} the only one of their degree: an attacker who knows the degree finds the vertex; "
        f"allowed: {policy.max_unique_vertices}"
    )
    return _over("max_unique_vertices", "degrees", risk.unique_vertices, policy.max_unique_vertices, message)


def _reidentification(risk: DegreeRisk, policy: NetworkPolicy) -> list[Finding]:
    limit = policy.max_reidentification_rate
    if limit is None:
        return []
    rate = risk.reidentification_rate
    message = f"a guess within the right block hits with {share(rate)} on average; allowed: {share(limit)}"
    return _over("max_reidentification_rate", "degrees", rate, limit, message)


def _share_given(knowledge: str, risk: CandidateRisk, k: int, limit: float) -> list[Finding]:
    # what was not decided counts as exposed: only a proven bound may say yes
    figure = risk.share_below_at_most(k)
    message = (
        f"{count(risk.below(k))} of {count(risk.n)} vertices ({share(risk.share_below(k))}) have fewer than {k} "
        f"candidates under the knowledge {knowledge!r}; allowed: {share(limit)}"
    )
    if risk.undecided:
        message += f"; {count(risk.undecided)} more are undecided and count as exposed"
    return _over(given_rule(knowledge), knowledge, figure, limit, message)
