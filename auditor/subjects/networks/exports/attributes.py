"""Vertex attributes that leave with a release: together with the degree they must not single anybody out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from auditor.core.errors import BadInput, Refused

Attributes = Mapping[str, NDArray[np.object_]]


def choose_attributes(attributes: Attributes, keep: Sequence[str]) -> dict[str, NDArray[np.object_]]:
    """Return the attributes named in `keep`, in that order.

    Raises
    ------
    BadInput
        If one is not there.
    """
    missing = [name for name in keep if name not in attributes]
    if missing:
        raise BadInput(f"--keep names {missing[0]!r}, which is no vertex attribute; there are {len(attributes)}")
    return {name: attributes[name] for name in keep}


def smallest_class(degrees: NDArray[np.int64], attributes: Attributes) -> int:
    """Return the size of the smallest class of vertices that share degree and all attributes; 0 without vertices."""
    if degrees.size == 0:
        return 0
    # one column of codes an attribute: comparing strings once each is enough
    codes = [np.unique(values.astype(str), return_inverse=True)[1].ravel() for values in attributes.values()]
    _, sizes = np.unique(np.column_stack([degrees, *codes]), axis=0, return_counts=True)
    return int(sizes.min())


def check_attributes(
    degrees: NDArray[np.int64], attributes: Attributes, k: int, protected: NDArray[np.int64] | None = None
) -> None:
    """Refuse attributes that, together with the published degree, leave somebody in a class of fewer than k.

    Parameters
    ----------
    degrees : ndarray of int64, shape (n,)
        Published degrees.
    attributes : mapping of str to ndarray of str, shape (n,)
        What is published with them.
    k : int
        Required size of a class.
    protected : ndarray of int64, optional
        Vertices that are protected, who hide among each other alone; everybody by default.

    Raises
    ------
    Refused
        Naming the attributes, not the class.
    """
    if attributes and protected is not None:
        degrees = degrees[protected]
        attributes = {name: values[protected] for name, values in attributes.items()}
    if attributes and smallest_class(degrees, attributes) < k:
        raise Refused(
            f"degree together with {', '.join(attributes)} leaves vertices in classes of fewer than {k}; "
            "keep fewer attributes, or coarser ones"
        )
