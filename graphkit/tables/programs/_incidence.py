"""Which cells are in which sum: a matrix of zeros and ones, kept column by column."""

import numpy as np

from graphkit.arrays import Floats, Ints


class Incidence:
    """A sparse matrix of zeros and ones.

    Parameters
    ----------
    starts : ndarray of int64, shape (c+1,)
        Where the entries of every column begin, and where the last ends.
    rows : ndarray of int64, shape (e,)
        Rows of the entries, column by column, ascending within each.
    height : int
        Number of rows.

    Notes
    -----
    SciPy has such matrices, too, but takes a tenth of a second to import: longer than most tables of a few cells need
    altogether. Products with whole numbers are exact; those of floating point add in the order of the rows.

    Examples
    --------
    >>> both = Incidence.of_entries(np.array([0, 0, 1]), np.array([0, 1, 1]), (2, 2))
    >>> both.toarray().tolist(), both.sums(np.array([3, 4])).tolist(), both.weights(np.array([0.5, 2.0])).tolist()
    ([[1, 1], [0, 1]], [7, 4], [0.5, 2.5])
    """

    __slots__ = ("_columns", "height", "rows", "starts")

    def __init__(self, starts: Ints, rows: Ints, height: int) -> None:
        self.starts, self.rows, self.height = starts, rows, height
        self._columns = np.repeat(np.arange(self.width), np.diff(starts))

    @classmethod
    def of_entries(cls, rows: Ints, columns: Ints, shape: tuple[int, int]) -> "Incidence":
        """Return the matrix that has ones at these places, each named once, in any order."""
        order = np.lexsort((rows, columns))
        starts = np.concatenate(([0], np.cumsum(np.bincount(columns, minlength=shape[1]))))
        return cls(starts.astype(np.int64), rows[order].astype(np.int64), shape[0])

    @property
    def width(self) -> int:
        """Number of columns."""
        return int(self.starts.size - 1)

    @property
    def entries(self) -> int:
        """Number of ones."""
        return int(self.rows.size)

    @property
    def most_in_a_column(self) -> int:
        """The most ones in a column."""
        return int(np.diff(self.starts).max(initial=1))

    def chosen(self, columns: Ints) -> "Incidence":
        """Return the matrix of some columns, in the order given."""
        sizes = np.diff(self.starts)[columns]
        starts = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(sizes)))
        places = np.arange(starts[-1]) + np.repeat(self.starts[columns] - starts[:-1], sizes)
        return Incidence(starts, self.rows[places], self.height)

    def sums(self, counts: Ints) -> Ints:
        """Return what the counts of the columns add up to, by row."""
        found = np.zeros(self.height, dtype=np.int64)
        np.add.at(found, self.rows, counts[self._columns])
        return found

    def whole_weights(self, multipliers: Ints) -> Ints:
        """Return what the multipliers of the rows add up to, by column; exact where the results fit into 64 bits."""
        running = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(multipliers[self.rows])))
        found: Ints = running[self.starts[1:]] - running[self.starts[:-1]]
        return found

    def weights(self, multipliers: Floats) -> Floats:
        """Return what the multipliers of the rows add up to, by column."""
        found: Floats = np.bincount(self._columns, weights=multipliers[self.rows], minlength=self.width).astype(
            np.float64, copy=False
        )
        return found

    def toarray(self) -> Ints:
        """Return the whole matrix, shape (r, c)."""
        whole = np.zeros((self.height, self.width), dtype=np.int64)
        whole[self.rows, self._columns] = 1
        return whole
