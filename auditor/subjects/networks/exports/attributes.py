"""Vertex attributes that leave with a release: together with the degree they must not single anybody out."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from auditor.core.errors import BadInput, Refused
from graphkit.numbers import counted

Attributes = Mapping[str, NDArray[np.object_]]


def choose_attributes(
    attributes: Attributes, keep: Sequence[str], option: str = "--keep", of_ties: Sequence[str] = ()
) -> dict[str, NDArray[np.object_]]:
    """Return the attributes named in `keep`, in that order.

    Parameters
    ----------
    attributes : mapping of str to ndarray of str, shape (n,)
        Those that there are.
    keep : sequence of str
        Those that are wanted.
    option : str, optional
        What a message calls the list of them.
    of_ties : sequence of str, optional
        Columns of the file that are about its ties.

    Raises
    ------
    BadInput
        If one is not there.
    """
    missing = [name for name in keep if name not in attributes]
    if missing:
        what = "a column of ties, not of vertices" if missing[0] in of_ties else "no vertex attribute"
        raise BadInput(
            f"{option} names {missing[0]!r}, which is {what}; the network has "
            f"{counted(len(attributes), 'vertex attribute', 'vertex attributes')}, and an edge list has them in a "
            "vertex file (NAME.vertices.csv beside it, or --vertices)"
        )
    return {name: attributes[name] for name in keep}


def single_out(
    degrees: NDArray[np.int64], attributes: Attributes, k: int, protected: NDArray[np.int64] | None = None
) -> bool:
    """Whether attributes, together with the published degree, leave a vertex in a class of fewer than k.

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
    """
    chosen = slice(None) if protected is None else protected
    if not attributes or not degrees[chosen].size:
        return False
    # one column of codes an attribute: comparing strings once each is enough
    codes = [np.unique(values[chosen].astype(str), return_inverse=True)[1].ravel() for values in attributes.values()]
    _, sizes = np.unique(np.column_stack([degrees[chosen], *codes]), axis=0, return_counts=True)
    return bool(sizes.min() < k)


def check_attributes(
    degrees: NDArray[np.int64], attributes: Attributes, k: int, protected: NDArray[np.int64] | None = None
) -> None:
    """Refuse attributes that :func:`single_out` a vertex.

    Raises
    ------
    Refused
        Naming the attributes, not the class.
    """
    if single_out(degrees, attributes, k, protected):
        raise Refused(
            f"degree together with {', '.join(attributes)} leaves vertices in classes of fewer than {k}; "
            "keep fewer attributes, or coarser ones"
        )
