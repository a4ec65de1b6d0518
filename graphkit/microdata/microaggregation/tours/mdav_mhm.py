"""MDAV-MHM: a tour through the groups of MDAV, cut anew; never worse than these."""

from graphkit.arrays import Floats, Ints
from graphkit.microdata.microaggregation.mdav import mdav
from graphkit.microdata.microaggregation.tours.stitched import stitched
from graphkit.microdata.microaggregation.tours.tour2assignment import tour2assignment


def mdav_mhm(points: Floats, k: int) -> Ints:
    """Return the best groups along a tour through those of MDAV, shape (n,)."""
    return tour2assignment(points, stitched(points, mdav(points, k)), k)
