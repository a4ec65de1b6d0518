"""Released records, and the key that stays with their owner."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphkit.arrays import Ints
from graphkit.frames import FrameLibrary, frame_of_columns
from graphkit.microdata.microaggregation.result import Microaggregation
from graphkit.microdata.verify import GroupClaim
from graphkit.presentation import Presentable
from graphkit.verification import Verification


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ReleasedRecords(Presentable):
    """Records that may leave the house, checked against their claim, in an order that tells nothing."""

    columns: Mapping[str, Sequence[Any]]
    """Values of each column, in the order of the released records."""
    claim: GroupClaim
    """What they promise in public."""
    verification: Verification
    """The checks of it, all passed; made by code that imports no engine."""

    _figures = ("k", "n", "attributes", "verified")

    @property
    def k(self) -> int:
        """Every combination of values of the attributes is that of at least k records."""
        return self.claim.k

    @property
    def n(self) -> int:
        """Number of records."""
        return self.claim.n

    @property
    def attributes(self) -> str:
        """Columns that were aggregated, as one text."""
        return ", ".join(self.claim.attributes)

    @property
    def verified(self) -> bool:
        """Whether every check passed; always so."""
        return self.verification.passed

    def to_frame(self, library: FrameLibrary = "pandas") -> Any:
        """Return the released records as a frame."""
        return frame_of_columns(self.columns, library)

    def __repr__(self) -> str:
        """Return the figures that may be public."""
        return f"ReleasedRecords(k={self.k}, records={self.n}, verified={self.verified})"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RecordKey:
    """Which record is which. As protected as the original: it stays with its owner."""

    rows: Ints
    """``rows[i]`` is the row of the original, from 0, of released record i."""
    result: Microaggregation
    """What the engine answered: the groups, their loss, and the bound proven on it."""

    def to_frame(self, library: FrameLibrary = "pandas") -> Any:
        """Return the columns `original` and `published`, rows from 0, as a frame, in the order of the release."""
        return frame_of_columns({"original": self.rows.tolist(), "published": list(range(self.rows.size))}, library)

    def __repr__(self) -> str:
        """Return what may be seen by chance: nobody."""
        return f"RecordKey(of {self.rows.size} records; keep it with the original)"

    def _repr_html_(self) -> str:
        return f"<p>{self!r}</p>"
