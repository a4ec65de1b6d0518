"""What annealing leaves: cyclic exchanges among several groups, of which it proposes none."""

from graphkit.arrays import Floats
from graphkit.microdata.microaggregation.icsm.searching import improved, units_of_start
from graphkit.microdata.microaggregation.standing import Standing

_SHARE = 0.05
"""Of the work of a search: where cycles need more, it is left as it is."""
_FEW = 250
"""Records up to which annealing finds what there is, sooner than the kernels of cycles are loaded."""


def finish(points: Floats, k: int, standing: Standing, units: int) -> None:
    """Offer what simple improvements and cycles make of the best partition: it never loses more.

    Parameters
    ----------
    points : ndarray of float, shape (n, d)
        At least 2k records.
    k : int
    standing : Standing
    units : int
        Work of the whole search; nothing is done where a start of ICSM takes more than a small share of it.

    Notes
    -----
    Nothing is done with few records either.
    """
    if standing.is_done or points.shape[0] <= _FEW or units_of_start(points, k) > _SHARE * units:
        return

    def charge(work: float) -> bool:
        standing.budget.charge(round(work))
        return standing.is_done

    improved(points, k, standing.labels, standing, charge)
