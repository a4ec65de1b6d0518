"""What a frame of records tells an attacker who knows some of its columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from graphkit.errors import InvalidInput
from graphkit.frames import check_names, chosen_columns
from graphkit.microdata.risk.classes import ClassRisk, equivalence_classes
from graphkit.microdata.risk.coded import code_records
from graphkit.microdata.risk.diversity import DiversityRisk, l_diversity
from graphkit.microdata.risk.sensitive_counts import sensitive_counts
from graphkit.presentation import Presentable


@dataclass(frozen=True, slots=True, eq=False)
class RecordRisk(Presentable):
    """How many records can be singled out, and what their classes tell of sensitive columns. Figures only."""

    classes: ClassRisk
    """Records that share all quasi-identifiers."""
    diversity: tuple[DiversityRisk, ...] = ()
    """One for each sensitive column."""

    _figures = ("n", "k", "records_below_k", "unique_records", "smallest_class", "homogeneous_records", "is_anonymous")
    _derived = ("homogeneous_records", "is_anonymous")

    @property
    def n(self) -> int:
        """Number of records."""
        return self.classes.n

    @property
    def k(self) -> int:
        """Required size of a class."""
        return self.classes.k

    @property
    def records_below_k(self) -> int:
        """Records in classes of fewer than k."""
        return self.classes.records_below_k

    @property
    def unique_records(self) -> int:
        """Records that are alone in their class."""
        return self.classes.unique_records

    @property
    def smallest_class(self) -> int:
        """The largest k for which the records are k-anonymous."""
        return self.classes.smallest_class

    @property
    def homogeneous_records(self) -> int | None:
        """Most records whose class has one value of a sensitive column; None where no column is sensitive."""
        return max((one.homogeneous_records for one in self.diversity), default=None)

    @property
    def is_anonymous(self) -> bool:
        """Whether no class has fewer than k records."""
        return self.classes.is_anonymous


def audit(
    frame: Any,
    quasi_identifiers: Sequence[str],
    k: int,
    *,
    sensitive: Sequence[str] = (),
    l: float = 2,  # noqa: E741
) -> RecordRisk:
    """Return how exposed records are to an attacker who knows some of their columns.

    Parameters
    ----------
    frame : frame of pandas, polars or pyarrow, or mapping of str to values
        A row a record.
    quasi_identifiers : sequence of str
        Columns that an attacker may know of a respondent.
    k : int
        Required size of a class, at least 2.
    sensitive : sequence of str, optional
        Columns that an attacker must not learn.
    l : float, optional
        Required diversity of each.

    Raises
    ------
    InvalidInput
        If a column is not there or holds lists, none is named, there is no record, or `k` or `l` is too small.

    Notes
    -----
    O(n c log n) for c columns. A missing value counts as a category of its own.

    Examples
    --------
    >>> people = {"age": [41, 35, 41, 52], "sex": ["f", "m", "f", "f"], "income": [30, 20, 30, 25]}
    >>> found = audit(people, ["age", "sex"], k=2, sensitive=["income"])
    >>> found.unique_records, found.homogeneous_records
    (2, 4)
    """
    check_names(quasi_identifiers, sensitive)
    records = code_records(chosen_columns(frame, [*quasi_identifiers, *sensitive]))
    if not records.n:
        raise InvalidInput("the frame has no records; give one that has some")
    classes = equivalence_classes(records, list(quasi_identifiers))
    diversity = [l_diversity(sensitive_counts(classes, records.columns[name]), l) for name in sensitive]
    return RecordRisk(classes.risk(k), tuple(diversity))
