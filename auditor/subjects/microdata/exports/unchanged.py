"""Which columns leave as they are, and which of these name the record that they stand in."""

from collections.abc import Sequence
from dataclasses import dataclass

from auditor.formats.records.errors import record_errors
from auditor.formats.records.opening import VIEW, OpenRecords
from auditor.formats.records.roles import Roles
from graphkit.microdata.risk.relation import quoted

_MEASURED = ("FLOAT", "DOUBLE", "DECIMAL")
# approximate counts are off by a few percent
_NEARLY = 0.8


@dataclass(frozen=True, slots=True)
class Unchanged:
    """Columns that leave as they are and are declared as nothing that may: no claim is about them."""

    names: tuple[str, ...] = ()
    """Quasi-identifiers, and columns without a role; in the order of the file."""
    naming: tuple[str, ...] = ()
    """Those of them that have another value in every record, decimals aside: by such a value a record is found."""


def unchanged_columns(
    opened: OpenRecords, roles: Roles, attributes: Sequence[str], removed: Sequence[str]
) -> Unchanged:
    """Return the columns that leave as they are.

    Parameters
    ----------
    opened : OpenRecords
    roles : Roles
        Sensitive columns, weights, strata and households leave as they are on purpose.
    attributes, removed : sequence of str
        What is protected, and what does not leave.

    Notes
    -----
    One pass over these columns with approximate counts, and an exact one over those that may have another value in
    every record.
    """
    known = {*attributes, *removed, *roles.sensitive, roles.weight, roles.stratum, roles.household}
    left = [column for column in opened.columns if column.name not in known]
    countable = [column.name for column in left if column.type.partition("(")[0] not in _MEASURED]
    with record_errors(opened.source):
        near = _counts(opened, "approx_count_distinct({})", countable)
        candidates = [name for name, (n, values) in near.items() if values >= _NEARLY * n]
        exact = _counts(opened, "count(DISTINCT {})", candidates)
    naming = tuple(name for name, (n, values) in exact.items() if values == n > 1)
    return Unchanged(tuple(column.name for column in left), naming)


def _counts(opened: OpenRecords, how: str, names: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Return the number of records and of values by column."""
    if not names:
        return {}
    selected = ", ".join(how.format(quoted(name)) for name in names)
    n, *values = opened.connection.execute(f'SELECT count(*), {selected} FROM "{VIEW}"').fetchone()
    return {name: (n, found) for name, found in zip(names, values, strict=True)}
