"""Small networks in a store, and schedules that audit them: where the work around the engines is measured."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from auditor.schedules.repository import NewSchedule, Schedules
from auditor.subjects.networks.repository import Networks

if TYPE_CHECKING:
    from auditor.store import Store

_ACTOR = "benchmark"


def add_network(store: Store, name: str) -> None:
    """Add a network of five vertices, of which one is alone with its degree."""
    import numpy as np

    from auditor.formats.networks.loaded import LoadedNetwork
    from graphkit.networks.graphs.graph import SimpleGraph

    graph = SimpleGraph.from_edges([(0, 1), (1, 2), (2, 3), (3, 4), (1, 4)])
    Networks(store).add(name, LoadedNetwork(graph, np.arange(graph.n)), source=_ACTOR, actor=_ACTOR)


def add_schedule(store: Store, name: str, network: str, catch_up: Literal["last", "all"]) -> None:
    """Add a schedule that audits a network once a year: nothing becomes due while something is measured."""
    from auditor.policy import Policy

    policy = Policy()
    Schedules(store).add(
        NewSchedule(
            name,
            cron="0 0 1 1 *",
            timezone="UTC",
            subjects=[f"network:{network}"],
            policy_hash=policy.digest(),
            policy_text=policy.text(),
            catch_up=catch_up,
            actor=_ACTOR,
        )
    )
