"""Standard errors of figures that are estimated from a sample of sources."""

import math
from collections.abc import Sequence


def jackknife_error(replicates: Sequence[float]) -> float:
    """Return the standard error of a statistic from its values with each part of the sample left out.

    Parameters
    ----------
    replicates : sequence of float
        The statistic without part 1, without part 2, …; the parts have equal size.

    Examples
    --------
    >>> values = [1.0, 2.0, 6.0]
    >>> replicates = [(9.0 - value) / 2 for value in values]
    >>> round(jackknife_error(replicates) ** 2, 6), round((4 + 1 + 9) / 2 / 3, 6)
    (2.333333, 2.333333)

    References
    ----------
    Quenouille 1956, "Notes on bias in estimation"; Tukey 1958, "Bias and confidence in not quite large samples".
    """
    mean = sum(replicates) / len(replicates)
    spread = sum((value - mean) ** 2 for value in replicates)
    return math.sqrt(spread * (len(replicates) - 1) / len(replicates))
