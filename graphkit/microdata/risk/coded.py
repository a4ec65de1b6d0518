"""Records as the audit counts them: a small whole number for each category, in the order of the categories."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphkit.arrays import Floats
from graphkit.errors import InvalidInput
from graphkit.frames import check_names

Codes = NDArray[np.unsignedinteger[Any]]
"""Array of the numbers of categories, in the smallest type that holds them."""

_WIDTHS = (np.uint8, np.uint16, np.uint32)


@dataclass(frozen=True, slots=True, eq=False)
class CodedColumn:
    """A column of categories. Protected: it tells which records are alike, but holds no value."""

    name: str
    codes: Codes
    """Number of each record's category, shape (n,): 0, 1, … in the order of the values, the missing value last."""
    size: int
    """Categories that occur, the missing value included."""
    has_missing: bool = False
    """Whether some values are missing (NULL or NaN): they are a category of their own."""


@dataclass(frozen=True, slots=True, eq=False)
class CodedRecords:
    """Records with their categories as numbers, and the columns that are measured. Protected."""

    n: int
    columns: Mapping[str, CodedColumn]
    numbers: Mapping[str, Floats]
    """Columns that are measured, not counted, such as weights; shape (n,)."""

    def chosen(self, names: Sequence[str]) -> list[CodedColumn]:
        """Return some columns in the order of `names`.

        Raises
        ------
        InvalidInput
            If one is not there or is named twice.
        """
        check_names(names)
        missing = [name for name in names if name not in self.columns]
        if missing:
            raise InvalidInput(f"there is no column {missing[0]!r}; there are {', '.join(map(repr, self.columns))}")
        if len(set(names)) != len(names):
            raise InvalidInput("a column is named twice; name each once")
        return [self.columns[name] for name in names]


class Coder:
    """Gives the categories of one column numbers, some rows at a time.

    Parameters
    ----------
    name : str
        Of the column.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._known: Any = None
        self._parts: list[Codes] = []

    def add(self, values: Any) -> None:
        """Take the next rows, a pyarrow array.

        Raises
        ------
        InvalidInput
            If the values are neither numbers, text, truth values nor times.
        """
        import pyarrow as pa
        import pyarrow.compute as pc

        encoded = self._comparable(values).dictionary_encode()
        new = encoded.dictionary
        if self._known is None:
            self._known = new[:0]
        numbers = pc.index_in(new, value_set=self._known).to_numpy(zero_copy_only=False)
        fresh = np.isnan(numbers) if numbers.dtype.kind == "f" else np.zeros(len(new), dtype=bool)
        places = np.where(fresh, len(self._known) + np.cumsum(fresh) - 1, numbers).astype(np.int64)
        self._known = pa.concat_arrays([self._known, new.filter(pa.array(fresh))])
        # 0 is the missing value until the end
        places = np.concatenate(([0], places + 1)).astype(smallest_width(len(self._known) + 1))
        self._parts.append(places[pc.fill_null(encoded.indices, -1).to_numpy() + 1])

    def column(self) -> CodedColumn:
        """Return the column of all rows that were added."""
        import pyarrow.compute as pc

        if self._known is None or not self._parts:
            return CodedColumn(self.name, np.zeros(0, dtype=np.uint8), 0)
        codes = np.concatenate(self._parts)
        known = len(self._known)
        order = pc.sort_indices(self._known).to_numpy()
        rank = np.full(known + 1, known, dtype=smallest_width(known + 1))
        rank[order + 1] = np.arange(known)
        has_missing = bool(codes.size) and not codes.all()
        return CodedColumn(self.name, rank[codes], known + has_missing, has_missing)

    def _comparable(self, values: Any) -> Any:
        import pyarrow as pa
        import pyarrow.compute as pc

        kind = values.type
        if pa.types.is_dictionary(kind):
            values = values.cast(kind.value_type)
            kind = kind.value_type
        if pa.types.is_floating(kind):
            # NaN is missing, and −0 is 0
            values = pc.if_else(pc.is_nan(values), None, pc.add(values.cast(pa.float64()), 0.0))
        elif pa.types.is_null(kind):
            values = values.cast(pa.int8())
        elif pa.types.is_nested(kind):
            raise InvalidInput(f"column {self.name!r} holds lists or structures; leave it out")
        return values


def code_records(columns: Mapping[str, Any], *, numbers: Mapping[str, Any] | None = None) -> CodedRecords:
    """Return records that are given as arrays.

    Parameters
    ----------
    columns : mapping of str to array_like, each of shape (n,)
        Columns of categories: numbers, text, truth values or times. None and NaN are missing values.
    numbers : mapping of str to array_like of float, each of shape (n,), optional
        Columns that are measured, such as weights.

    Raises
    ------
    InvalidInput
        If the columns are not equally long, or one holds something else.

    Examples
    --------
    >>> records = code_records({"age": [41, 35, None, 41]})
    >>> records.columns["age"].codes.tolist(), records.columns["age"].size
    ([1, 0, 2, 1], 3)
    """
    coded = {name: _coded(name, values) for name, values in columns.items()}
    measured = {name: np.asarray(values, dtype=np.float64) for name, values in (numbers or {}).items()}
    lengths = {column.codes.size for column in coded.values()} | {values.size for values in measured.values()}
    if len(lengths) > 1:
        raise InvalidInput("the columns are not equally long; give one value a record in each")
    return CodedRecords(lengths.pop() if lengths else 0, coded, measured)


def smallest_width(size: int) -> Any:
    """Return the smallest type whose numbers go from 0 to ``size - 1``.

    Raises
    ------
    InvalidInput
        If none does.
    """
    for width in _WIDTHS:
        if size <= np.iinfo(width).max + 1:
            return width
    raise InvalidInput("a column has more than 4 billion categories; leave it out")


def _coded(name: str, values: Any) -> CodedColumn:
    import pyarrow as pa

    coder = Coder(name)
    try:
        coder.add(pa.array(values, from_pandas=True))
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError) as error:
        raise InvalidInput(f"column {name!r} holds values of several kinds, or of one that cannot be sorted") from error
    return coder.column()
