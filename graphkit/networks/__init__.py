"""Networks: how exposed they are, and versions in which every degree is shared by at least k vertices."""

from graphkit.doors import open_door

# numba and igraph take half a second to import and an audit needs neither: names are looked up when first used
__all__, __getattr__, __dir__ = open_door(__name__, timed=("anonymize", "anonymize_under", "release"))
