"""Phase 1: k-anonymous degree sequences above a given one."""

from graphkit.networks.sequences.block_dp import BlockSequences
from graphkit.networks.sequences.degree_raises import DegreeRaises, apply_raises, demand_counts, merge_raises
from graphkit.networks.sequences.position_dp import SequenceCost, minimum_raises

__all__ = [
    "BlockSequences",
    "DegreeRaises",
    "SequenceCost",
    "apply_raises",
    "demand_counts",
    "merge_raises",
    "minimum_raises",
]
