"""Vertices with too few candidates, by name: for the owner of the data, who asked to see them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from auditor.formats.networks.loaded import LoadedNetwork
    from auditor.subjects.networks.policy import NetworkPolicy


@dataclass(frozen=True, slots=True)
class ExposedVertex:
    """A vertex and how many it can be taken for. Protected."""

    vertex: int | str
    """Its label."""
    candidates: int
    """Vertices that look the same, itself included."""


Exposed = dict[str, list[ExposedVertex]]


def exposed_vertices(network: LoadedNetwork, policy: NetworkPolicy, names: Iterable[str]) -> Exposed:
    """Return the vertices with fewer than k candidates under each knowledge, fewest candidates first. Protected."""
    from graphkit.networks.attackers.knowledge import candidate_sets

    exposed: Exposed = {}
    labels = network.labels.tolist()
    for name in names:
        sets = candidate_sets(network.graph, name, policy.hubs)
        candidates, below = sets.candidates(), sets.below(policy.k)
        found = [ExposedVertex(labels[v], int(candidates[v])) for v in below.tolist()]
        exposed[name] = sorted(found, key=lambda vertex: vertex.candidates)
    return exposed
