"""Categories in one file that look like several ones of another file, merged."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graphkit.tables.structure.contingency import ContingencyTable

_JOIN = " + "
_MOST_HINTS = 5


def merged_hints(names: Sequence[str], tables: Sequence[ContingencyTable]) -> list[str]:
    """Return what to say of categories whose name is made of those of another file, one sentence each.

    Parameters
    ----------
    names : sequence of str
        Of the files.
    tables : sequence of ContingencyTable
        What they hold.
    """
    from auditor.formats.tables.names import quoted

    found = []
    for name, table in zip(names, tables, strict=True):
        for variable in table.variables:
            for category in (category for category in variable.categories if _JOIN in category):
                for other, others in zip(names, tables, strict=True):
                    known = next((v.categories for v in others.variables if v.name == variable.name), ())
                    parts = () if category in known else parts_of(category, known)
                    if parts:
                        found.append(
                            f"{quoted(variable.name)} = {quoted(category)} of {name} looks like "
                            f"{' and '.join(map(quoted, parts))} of {other} merged; categories belong together by "
                            f"their names: merge them in {other}, too, and add up their counts"
                        )
                        break
    more = len(found) - _MOST_HINTS
    return found if more <= 0 else [*found[:_MOST_HINTS], f"{more} more categories look merged"]


def parts_of(category: str, known: Collection[str]) -> tuple[str, ...]:
    """Return known categories of which a name is made, as merged ones are named; nothing if it is not.

    Examples
    --------
    >>> parts_of("60-79 + 80+", ["40-59", "60-79", "80+"]), parts_of("60-79 + x", ["60-79"]), parts_of("80+", ["80+"])
    (('60-79', '80+'), (), ())
    >>> parts_of("a + b + c", ["a", "b + c"])
    ('a', 'b + c')
    """
    pieces, names = category.split(_JOIN), set(known)
    # of every beginning the parts that it is made of; a part may have been merged before
    beginnings: list[tuple[str, ...] | None] = [()]
    for end in range(1, len(pieces) + 1):
        ways = (
            (*before, part)
            for start in range(end)
            if (before := beginnings[start]) is not None and (part := _JOIN.join(pieces[start:end])) in names
        )
        beginnings.append(next(ways, None))
    found = beginnings[-1] or ()
    return found if len(found) > 1 else ()
