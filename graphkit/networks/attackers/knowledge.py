"""What an attacker may know about a vertex, by name, and the candidate sets under it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from graphkit.errors import InvalidInput
from graphkit.networks.attackers.adjacency import classes_of
from graphkit.networks.attackers.ego_nets import ego_isomorphism_sets, ego_size_sets
from graphkit.networks.attackers.hub_fingerprints import hub_fingerprint_sets
from graphkit.networks.attackers.neighbour_degrees import neighbour_degree_sets
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.graphs.interchange import as_simple_graph
from graphkit.networks.risk.candidates import CandidateRisk, CandidateSets


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Something that an attacker may know about a vertex."""

    name: str
    text: str
    """What is known, in a few words for a person."""
    sets: Callable[[SimpleGraph, int], CandidateSets]
    """Candidate sets of a graph; the number of hubs matters to hub fingerprints alone."""


KNOWLEDGE: dict[str, Knowledge] = {
    entry.name: entry
    for entry in (
        Knowledge(
            "degree",
            "how many contacts a person has",
            lambda graph, _: CandidateSets(classes_of(graph.degrees().tolist())),
        ),
        Knowledge("ego-size", "how many contacts, and how many ties among them", lambda graph, _: ego_size_sets(graph)),
        Knowledge("ego", "who among the contacts is tied to whom", lambda graph, _: ego_isomorphism_sets(graph)),
        Knowledge("neighbours", "how many contacts each contact has", lambda graph, _: neighbour_degree_sets(graph)),
        Knowledge(
            "iterated",
            "how many contacts those have, and so on, to the end",
            lambda graph, _: neighbour_degree_sets(graph, depth=None),
        ),
        Knowledge("hubs", "how far away the hubs are, up to two steps (they are not counted)", hub_fingerprint_sets),
    )
}
"""What may be known, by name, in the order in which it is shown."""


def candidate_sets(graph: Any, knowledge: str, hubs: int = 5) -> CandidateSets:
    """Return the sets of vertices that an attacker with a certain knowledge cannot tell apart. Protected.

    Parameters
    ----------
    graph : igraph.Graph, networkx.Graph, SimpleGraph or array of int, shape (m, 2)
        The network.
    knowledge : str
        A name in :data:`KNOWLEDGE`.
    hubs : int, optional
        Number of hubs for hub fingerprints.

    Raises
    ------
    InvalidInput
        If there is no such knowledge, or the graph is directed or has loops or parallel edges.
    """
    if knowledge not in KNOWLEDGE:
        raise InvalidInput(f"unknown knowledge {knowledge!r}; known: {', '.join(KNOWLEDGE)}")
    return KNOWLEDGE[knowledge].sets(as_simple_graph(graph), hubs)


def structural_risk(
    graph: Any, k: int, knowledge: str | Sequence[str] = tuple(KNOWLEDGE), *, hubs: int = 5
) -> dict[str, CandidateRisk]:
    """Return how exposed a graph is to attackers who know more than a degree.

    Parameters
    ----------
    graph : igraph.Graph, networkx.Graph, SimpleGraph or array of int, shape (m, 2)
        The network.
    k : int
        Required size of a candidate set, at least 2.
    knowledge : str or sequence of str, optional
        A name in :data:`KNOWLEDGE`, or several; all by default.
    hubs : int, optional
        Number of hubs for hub fingerprints.

    Returns
    -------
    dict
        The risk under each knowledge. Counts only: no vertex is named.

    Raises
    ------
    InvalidInput
        If `k` is no whole number or below 2, a knowledge is unknown, `hubs` is below 1, or the graph is directed or has
        loops or parallel edges.

    Examples
    --------
    >>> path = [(0, 1), (1, 2), (2, 3), (3, 4)]
    >>> {name: risk.unique_vertices for name, risk in structural_risk(path, 2, ["degree", "neighbours"]).items()}
    {'degree': 0, 'neighbours': 1}
    """
    simple = as_simple_graph(graph)
    names = [knowledge] if isinstance(knowledge, str) else knowledge
    return {name: candidate_sets(simple, name, hubs).risk(k) for name in names}
