"""Where the network of a live graph is, as the store keeps it, and whether it is still what was stored."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from auditor.config.addresses import graph_address
from auditor.core.errors import BadInput, StoreError, StoreUnavailable
from auditor.core.finding import Finding, Severity
from auditor.subjects.networks.live.projection import Projection

if TYPE_CHECKING:
    from auditor.config import Settings
    from graphkit.arrays import Ints

WHERE = "live graph"
"""The part of a network that findings of its live graph are about."""


@dataclass(frozen=True, slots=True)
class LiveOrigin:
    """A graph database, and what of it is the network. Conditions may hold a protected value."""

    address: str
    projection: Projection

    def text(self) -> str:
        """Return it as the store keeps it: JSON."""
        return json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":"))

    @property
    def shown(self) -> str:
        """Address and pattern, without conditions."""
        return f"{self.address} {self.projection}"


def count_live(settings: Settings, origin: LiveOrigin) -> Ints:
    """Return how many vertices of a live graph have each degree now, shape (Δ+1,), counted in its database.

    Raises
    ------
    StoreUnavailable, StoreError
        If it cannot be asked.
    BadInput
        If it has no vertex any more, or does not take a condition.
    """
    from auditor.subjects.networks.live.counting import count_blocks
    from auditor.subjects.networks.live.opening import opened_graph

    with opened_graph(settings, graph_address(origin.address)) as graph:
        return count_blocks(graph, origin.projection)


def drift_findings(settings: Settings, origin: LiveOrigin, stored: Ints) -> tuple[Finding, ...]:
    """Return what an audit finds where a live graph is no longer what was stored, or cannot be asked.

    Parameters
    ----------
    settings : Settings
        With the log-in of the graph.
    origin : LiveOrigin
    stored : ndarray of int, shape (Δ+1,)
        Block sequence of the network as it was stored.

    Notes
    -----
    Compared is how many vertices have each degree. Changes that leave that as it is are not seen.
    """
    try:
        now = count_live(settings, origin)
    except StoreUnavailable:
        return (
            _finding("undecided", "the live graph cannot be asked whether it changed; see that it runs, then audit"),
        )
    except (StoreError, BadInput):
        return (_finding("undecided", "the live graph could not be counted; audit it in place to see why"),)
    if np.array_equal(now, stored):
        return ()
    return (_finding("violation", "the live graph changed since it was stored; add it again under another name"),)


def _finding(severity: Severity, message: str) -> Finding:
    return Finding("same_graph", WHERE, severity, 1, 0, message)
