"""What the package offers: each name, and the module that it is imported from when it is first used."""

from graphkit.networks.sequences.block_dp import BlockSequences as BlockSequences
from graphkit.networks.sequences.degree_raises import DegreeRaises as DegreeRaises
from graphkit.networks.sequences.degree_raises import apply_raises as apply_raises
from graphkit.networks.sequences.degree_raises import demand_counts as demand_counts
from graphkit.networks.sequences.degree_raises import merge_raises as merge_raises
from graphkit.networks.sequences.position_dp import SequenceCost as SequenceCost
from graphkit.networks.sequences.position_dp import minimum_raises as minimum_raises
