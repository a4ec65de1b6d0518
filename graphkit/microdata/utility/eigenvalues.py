"""How the eigenvalues of the correlation matrix changed."""

import numpy as np

from graphkit.arrays import Floats
from graphkit.microdata.utility.correlations import correlations, covariances
from graphkit.microdata.utility.scaling import check_alike, spreads

_ZERO = 1e-9


def eigenvalue_change(original: Floats, published: Floats) -> float | None:
    """Return Σ |λ − λ'| / λ over the eigenvalues of the correlation matrices, each in falling order.

    Parameters
    ----------
    original, published : ndarray of float, shapes (n, d) and (m, d)
        The records need not correspond.

    Returns
    -------
    float or None
        None where it is not defined: an attribute is constant in one of them, or attributes of the original depend on
        each other linearly.

    Raises
    ------
    InvalidInput
        If the tables have other attributes.

    Notes
    -----
    O((n + m) d² + d³). The method ``eigen`` of ``dUtility`` in sdcMicro.

    References
    ----------
    Templ, Meindl 2008, "Robust statistics meets SDC: new disclosure risk measures for continuous microdata masking".

    Examples
    --------
    >>> records = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]])
    >>> round(eigenvalue_change(records, np.array([[0.0, 1.0], [1.0, 1.0], [2.0, 3.0]])), 3)
    0.976
    """
    check_alike(original, published, paired=False)
    scale, scale_after = spreads(original), spreads(published)
    if not (scale * scale_after).all():
        return None
    tables = (original, scale), (published, scale_after)
    before, after = (np.linalg.eigvalsh(correlations(covariances(*table)))[::-1] for table in tables)
    if before[-1] < _ZERO:
        return None
    return float((np.abs(before - after) / before).sum())
