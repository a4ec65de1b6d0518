"""Proven lower bounds on the number of new edges."""

from graphkit.networks.bounds.registry import BOUNDS, Bound
from graphkit.networks.bounds.relaxed_erdos_gallai import relaxed_erdos_gallai_bound
from graphkit.networks.bounds.sequence import sequence_bound

__all__ = ["BOUNDS", "Bound", "relaxed_erdos_gallai_bound", "sequence_bound"]
