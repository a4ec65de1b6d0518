"""Which records are moved at which temperature: those to whose surroundings it means something."""

from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Floats, Ints

_STEP = 0.97
HOTTEST, COOLEST = 0.5, 500.0
"""Scale of a record in temperatures when it is proposed first, and last."""
_TINY_SHARE = 0.02


@dataclass(frozen=True, slots=True, eq=False)
class Cooling:
    """Temperatures that fall, each with the records that are proposed while it lasts.

    The scale of a record is the squared mean distance to its k nearest. Where that is far below the temperature every
    move would be taken, and where it is far above none: records of one file differ by orders of magnitude, so the
    temperature passes by them one after the other. Records that are alike to the last bit have scale 0 and come last.
    """

    order: Ints
    """Records by scale."""
    temperatures: Floats
    windows: Ints
    """First and end of the part of `order` that is proposed at each temperature, shape (temperatures, 2)."""

    def proposals(self, total: int) -> Ints:
        """Return how many proposals are made at every temperature, in proportion to its records."""
        weights = self.windows[:, 1] - self.windows[:, 0]
        proposals: Ints = np.maximum(1, total * weights // weights.sum())
        return proposals


def new_cooling(scales: Floats, hottest: float = HOTTEST, coolest: float = COOLEST) -> Cooling:
    """Return the temperatures for records of some scales, shape (n,).

    Parameters
    ----------
    scales : ndarray of float, shape (n,)
    hottest : float, optional
        Scale of a record in temperatures when it is proposed first. Larger ones leave more of a partition as it is.
    coolest : float, optional
        The same when it is proposed last.
    """
    order = np.argsort(scales, kind="stable")
    rising = scales[order]
    positive = rising[rising > 0]
    if not positive.size:
        return Cooling(order, np.zeros(1), np.array([[0, order.size]]))
    hot, cool = positive[-1] / hottest, positive[int(_TINY_SHARE * positive.size)] / coolest
    steps = int(np.ceil(np.log(cool / hot) / np.log(_STEP)))
    temperatures = hot * _STEP ** np.arange(max(steps, 1))
    first = np.searchsorted(rising, hottest * temperatures)
    end = np.searchsorted(rising, coolest * temperatures)
    used = end > first
    return Cooling(order, temperatures[used], np.stack((first, end), axis=1)[used])
