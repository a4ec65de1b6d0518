"""What an anonymization must respect besides k: who is protected, and what must not be touched."""

from dataclasses import dataclass, replace

import numpy as np

from graphkit.arrays import Ints
from graphkit.errors import InvalidInput
from graphkit.numbers import counted
from graphkit.parameters import is_whole


@dataclass(frozen=True, slots=True, eq=False)
class Constraints:
    """Limits on an anonymization, in vertices of the graph; what is None is no limit.

    Raises
    ------
    InvalidInput
        If the largest increase is negative or no whole number.

    Examples
    --------
    >>> Constraints(max_increase=2).is_empty, Constraints().is_empty
    (False, True)
    """

    subset: Ints | None = None
    """Vertices that are protected: each shares its final degree with k − 1 others of them. All by default."""
    forbidden_edges: Ints | None = None
    """Shape (f, 2): pairs that must not be added; where the graph has one, it may stay."""
    forbidden_vertices: Ints | None = None
    """Vertices at which no edge is added or deleted. They count in their blocks as they are."""
    max_increase: int | None = None
    """No degree grows by more than this."""
    earlier_degrees: Ints | None = None
    """Shape (n, w): degrees in w versions that are already out, −1 where a vertex was not in one."""

    def __post_init__(self) -> None:
        if self.max_increase is not None and not (is_whole(self.max_increase) and self.max_increase >= 0):
            raise InvalidInput(f"the largest increase ({self.max_increase}) must be a whole number from 0 on")

    @property
    def is_empty(self) -> bool:
        """Whether nothing is limited."""
        return all(getattr(self, name) is None for name in self.__slots__)

    def checked(self, n: int, k: int) -> "Constraints":
        """Return the same limits with arrays in canonical form.

        Parameters
        ----------
        n : int
            Number of vertices.
        k : int
            Required block size.

        Raises
        ------
        InvalidInput
            If a vertex is not there, an array has another shape, a forbidden edge is a loop, or the subset holds fewer
            than `k` vertices.
        """
        subset = None if self.subset is None else _vertices(self.subset, n, "subset")
        if subset is not None and subset.size < k:
            held = counted(subset.size, "vertex", "vertices")
            raise InvalidInput(f"k ({k}) is larger than the subset ({held}): choose a smaller k")
        earlier = None if self.earlier_degrees is None else _integers(self.earlier_degrees, "earlier degrees")
        if earlier is not None and (earlier.ndim != 2 or earlier.shape[0] != n):
            raise InvalidInput(f"earlier degrees must have one row for each of the {n} vertices")
        return replace(
            self,
            subset=subset,
            forbidden_edges=None if self.forbidden_edges is None else _pairs(self.forbidden_edges, n),
            forbidden_vertices=(
                None if self.forbidden_vertices is None else _vertices(self.forbidden_vertices, n, "forbidden vertices")
            ),
            earlier_degrees=None if earlier is None or earlier.shape[1] == 0 else earlier,
        )


def _integers(values: Ints, name: str) -> Ints:
    array = np.asarray(values)
    if array.size and not np.issubdtype(array.dtype, np.integer):
        raise InvalidInput(f"the {name} must be integers")
    return array.astype(np.int64, copy=False)


def _vertices(values: Ints, n: int, name: str) -> Ints:
    array = np.unique(_integers(values, name))
    if array.size and (array[0] < 0 or array[-1] >= n):
        holds = "holds" if name == "subset" else "hold"
        raise InvalidInput(f"the {name} {holds} a vertex that is not there; vertices are 0 to {n - 1}")
    return array


def _pairs(values: Ints, n: int) -> Ints:
    array = _integers(values, "forbidden edges")
    if array.size == 0:
        return np.empty((0, 2), dtype=np.int64)
    if array.ndim != 2 or array.shape[1] != 2:
        raise InvalidInput("forbidden edges must be pairs of vertices")
    _vertices(array.ravel(), n, "forbidden edges")
    if np.any(array[:, 0] == array[:, 1]):
        raise InvalidInput("a forbidden edge joins a vertex to itself")
    return np.unique(np.sort(array, axis=1), axis=0)
