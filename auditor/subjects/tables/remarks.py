"""What the store makes of a table that was added, in sentences: for the command line, the pages and the API."""

from collections.abc import Iterable

from auditor.subjects.tables.repository import TableInfo
from auditor.subjects.tables.stored.overlaps import TableOverlap
from auditor.subjects.tables.stored.states import Added


def remarks_on_added(
    info: TableInfo, added: Added, overlaps: Iterable[TableOverlap], *, ordered: bool = False
) -> list[str]:
    """Return which earlier releases count for a table that was added; names of tables only, one sentence each.

    Parameters
    ----------
    info, added
        As :meth:`auditor.subjects.tables.repository.Tables.add` returns them.
    overlaps : iterable of TableOverlap
        Of the table; those that are known to be of its respondents are told of.
    ordered : bool
        An order of categories was asked for.
    """
    remarks = []
    if added.known:
        remarks.append("the store had the same data before: its releases still count")
        if ordered:
            remarks.append("its categories keep the order that they had")
    elif added.later:
        remarks.append(f"this is version {info.version} of the data: releases of earlier ones still count")
    return remarks + [overlap.sentence for overlap in overlaps if overlap.same_population]
