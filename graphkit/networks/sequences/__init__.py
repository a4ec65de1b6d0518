"""Phase 1: k-anonymous degree sequences above a given one."""

from graphkit.networks.sequences.block_dp import BlockSequences
from graphkit.networks.sequences.lifts import Lifts, apply_lifts, demand_counts, merge_lifts
from graphkit.networks.sequences.position_dp import SequenceCost, minimum_lifts

__all__ = ["BlockSequences", "Lifts", "SequenceCost", "apply_lifts", "demand_counts", "merge_lifts", "minimum_lifts"]
