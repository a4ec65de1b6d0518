"""Two files of records, read for a comparison."""

from collections.abc import Sequence
from dataclasses import dataclass

from auditor.core.errors import BadInput
from auditor.formats.records.opening import OpenRecords
from auditor.formats.records.roles import ATTRIBUTES, Roles
from auditor.subjects.microdata.exports.numeric import read_numbers
from graphkit.arrays import Floats


@dataclass(frozen=True, slots=True, eq=False)
class ComparedRecords:
    """The attributes of two files, in the order of the files. Protected."""

    attributes: tuple[str, ...]
    original: Floats
    released: Floats


def read_compared(
    original: OpenRecords,
    released: OpenRecords,
    *,
    roles: Roles,
    asked: Sequence[str] = (),
    claimed: Sequence[str] = (),
) -> ComparedRecords:
    """Return the attributes of two files.

    Parameters
    ----------
    original, released : OpenRecords
    roles : Roles
        Of the original, as far as they are known.
    asked : sequence of str, optional
        Columns to compare; by default those that the release says it aggregated, else all columns of numbers that both
        files have and that are neither direct identifier nor weight, stratum or household.
    claimed : sequence of str, optional
        What the release says it aggregated.

    Raises
    ------
    BadInput
        If a column is missing or holds something else than numbers, or there is none to compare.
    BadFile
        If a file cannot be read, a value is missing, or there are no records.
    """
    for opened in (original, released):
        opened.widen_types()
    chosen = tuple(dict.fromkeys(asked)) or tuple(claimed)
    if not chosen:
        after = {column.name for column in released.columns if column.sort == "number"}
        numbers = [column.name for column in original.columns if column.sort == "number" and column.name in after]
        chosen = tuple(name for name in numbers if roles.of(name) in ATTRIBUTES)
    if not chosen:
        raise BadInput(f"{original.source.name} and {released.source.name} have no column of numbers in common")
    return ComparedRecords(chosen, _read(original, chosen), _read(released, chosen))


def _read(opened: OpenRecords, names: Sequence[str]) -> Floats:
    for name in names:
        if opened.named(name).sort != "number":
            raise BadInput(
                f"column {name!r} of {opened.source.name} holds something else than numbers; choose others with "
                "--attribute"
            )
    found = read_numbers(opened, names)
    opened.check_unchanged()
    if not found.shape[0]:
        raise opened.source.bad("has no records below its header; give a file that holds records")
    return found
