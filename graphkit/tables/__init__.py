"""Contingency tables: what marginals give away of the cells, and which of them may go out."""

from graphkit.doors import open_door

# numba, scipy and igraph take half a second to import: names are looked up when first used
__all__, __getattr__, __dir__ = open_door(__name__, timed=("bounds", "decide", "find_frontier", "simulate"))
