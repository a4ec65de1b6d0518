"""What an analyst would find in a graph, and how much of it a release keeps: one aspect a file."""

from graphkit.networks.utility.comparing import compare, utility
from graphkit.networks.utility.measure import Agreement, Change, Comparison, Distance, Measure, Utility
from graphkit.networks.utility.registry import ASPECTS, QUICK, choose_aspects

__all__ = [
    "ASPECTS",
    "QUICK",
    "Agreement",
    "Change",
    "Comparison",
    "Distance",
    "Measure",
    "Utility",
    "choose_aspects",
    "compare",
    "utility",
]
