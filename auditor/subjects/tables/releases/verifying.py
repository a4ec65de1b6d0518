"""A released marginal as a file, held against what a store knows: its rows, its counts, and that it was released.

Nothing that answers requests or writes files is imported, and counts are added up here: what went wrong there is not
repeated. A marginal that was not released is not compared with any count: the answer would disclose some.
"""

import csv
import io
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from auditor.core.errors import BadFile
from auditor.formats.source import Source
from auditor.formats.tables.merged_names import parts_of
from auditor.formats.tables.words import in_words
from auditor.store import Store
from auditor.subjects.tables.stored.history import VersionHistory
from auditor.subjects.tables.stored.marginals import StoredMarginal
from auditor.subjects.tables.stored.recorded_answers import RecordedAnswer
from auditor.subjects.tables.stored.releases import Releases
from graphkit.hierarchies.grouping import Grouping, named_groups
from graphkit.hierarchies.variable import Variable
from graphkit.verification import Check, Verification

_COUNT = re.compile(r"(simulated_)?count_*", re.IGNORECASE)
_WHOLE = re.compile(r"[0-9]{1,18}")
_YES = ("release", "simulate")


@dataclass(frozen=True, slots=True)
class FoundRelease:
    """The answer by which a marginal went out."""

    entry: int
    at: datetime
    by: str
    answer: str


@dataclass(frozen=True, slots=True)
class VerifiedMarginal:
    """What became of the verification of a file."""

    marginal: str
    """In words."""
    verification: Verification
    versions: tuple[int, ...] = ()
    """Versions of the data that it fits; several if that cannot be told, none where it fits none."""
    release: FoundRelease | None = None
    """None where it was not released under its own name, or the ledger's entry is not known."""
    follows_from: str | None = None
    """A released marginal that it follows from, in words."""
    not_checked: tuple[tuple[str, str], ...] = ()
    """What could not be checked, with the reason."""


@dataclass(frozen=True, slots=True)
class _File:
    names: tuple[str, ...]
    is_simulated: bool
    rows: list[tuple[str, ...]]
    counts: list[int]

    def labels(self, name: str) -> list[str]:
        place = self.names.index(name)
        return list(dict.fromkeys(row[place] for row in self.rows))


@dataclass(frozen=True, slots=True)
class _Found:
    """A way to read the file: a marginal of a version, and the released one that has its counts."""

    version: VersionHistory
    axes: tuple[int, ...]
    groupings: tuple[Grouping, ...]
    source: StoredMarginal

    @property
    def is_itself(self) -> bool:
        return self.source.axes == self.axes and _groupings(self.source, self.version) == self.groupings

    @property
    def words(self) -> str:
        return _in_words(self.version.variables, self.axes, self.groupings)


def verify_released_marginal(store: Store, table: str, path: Path) -> VerifiedMarginal:
    """Return whether a file holds a released marginal of a table, whole and unchanged.

    Parameters
    ----------
    store : Store
    table : str
        Name of the table.
    path : Path
        The file as a request writes it; rows and columns may be in another order.

    Raises
    ------
    NotFound
        If there is no such table or file.
    BadFile
        If the file cannot be read as a marginal of this table.
    """
    present, versions = Releases(store).versions(table)
    file = _read(path, table, versions)
    found, named = _ways(file, versions)
    if not found:
        return VerifiedMarginal(
            named or in_words(file.names, {}),
            Verification(
                (Check("released", False, "no such marginal of this table was released; its counts are not compared"),)
            ),
        )
    answers = Releases(store).of_table(table)
    verified = [(_checked(file, one), one) for one in found]
    fitting = [(checks, one) for checks, one in verified if checks.verification.passed]
    best, chosen = fitting[0] if fitting else max(verified, key=lambda pair: _holding(pair[0]))
    numbers = tuple(sorted({one.version.version for _, one in fitting}))
    release = _release(answers, chosen) if chosen.is_itself else None
    follows = None if chosen.is_itself else _source_in_words(chosen)
    checks = (Check("released", True, _said(chosen, release, follows, numbers, present)), *best.verification.checks)
    return VerifiedMarginal(chosen.words, Verification(checks), numbers, release, follows, best.not_checked)


def _said(
    chosen: _Found, release: FoundRelease | None, follows: str | None, versions: Sequence[int], present: int
) -> str:
    """Return by what it went out, and of which data it is."""
    if follows is not None:
        said = f"it follows from {follows}, which was released"
    elif release is None:
        said = "it was released"
    else:
        said = f"released at entry {release.entry} of the ledger, {release.at:%Y-%m-%d %H:%M} UTC, for {release.by}"
    if len(versions) > 1:
        return f"{said}; it fits versions {', '.join(map(str, versions))} of the data: which one cannot be told"
    now = f"; the table has version {present} now" if chosen.version.version != present else ""
    return f"{said}; version {chosen.version.version} of the data{now}"


def _holding(verified: VerifiedMarginal) -> int:
    return sum(check.passed for check in verified.verification.checks)


def _read(path: Path, table: str, versions: Sequence[VersionHistory]) -> _File:
    source = Source(path, holds="a marginal")
    text = source.text_bytes().decode()
    known = [{variable.name for variable in version.variables} for version in versions]
    for delimiter in (",", ";", "\t"):
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        header = next(rows, [])
        place = _count_place(header, known)
        if place is not None:
            return _body(source, header, place, rows)
    raise BadFile(
        f"{source.name}, line 1: is no header of a marginal of {table!r}: variables of the table, and one column of "
        "counts; name the table that it is of, and the file as --out wrote it"
    )


def _count_place(header: Sequence[str], known: Sequence[set[str]]) -> int | None:
    """Return which column has the counts; None if the others are no variables of one version."""
    for place in (len(header) - 1, *range(len(header) - 1)):
        others = [name for at, name in enumerate(header) if at != place]
        if len(set(others)) == len(others) > 0 and any(names.issuperset(others) for names in known):
            return place if _COUNT.fullmatch(header[place]) or place == len(header) - 1 else None
    return None


def _body(source: Source, header: list[str], place: int, rows: Any) -> _File:
    found, counts = [], []
    for row in rows:
        if not row:
            continue
        if len(row) != len(header):
            raise source.bad("has another number of columns than the header", rows.line_num)
        count = row.pop(place)
        if not _WHOLE.fullmatch(count):
            raise source.bad("a count that is no whole number", rows.line_num)
        found.append(tuple(row))
        counts.append(int(count))
    names = tuple(name for at, name in enumerate(header) if at != place)
    return _File(names, header[place].lower().startswith("simulated"), found, counts)


def _ways(file: _File, versions: Sequence[VersionHistory]) -> tuple[list[_Found], str | None]:
    """Return all ways to read the file, those of its own name first and the newest data first; its name, if known."""
    itself: list[_Found] = []
    follows: list[_Found] = []
    doubtful: list[_Found] = []
    named = None
    for version in sorted(versions, key=lambda one: -one.version):
        positions = {variable.name: axis for axis, variable in enumerate(version.variables)}
        if not positions.keys() >= set(file.names):
            continue
        axes = tuple(sorted(positions[name] for name in file.names))
        groupings = tuple(
            _grouping(version.variables[axis], file.labels(version.variables[axis].name)) for axis in axes
        )
        whole = tuple(one for one in groupings if one is not None)
        if len(whole) < len(axes):
            # a name that is none of the table's: a marginal of the same variables may have been changed
            same = (one for one in version.released if one.axes == axes)
            doubtful += [_Found(version, axes, _groupings(one, version), one) for one in same]
            continue
        named = named or _in_words(version.variables, axes, whole)
        for one in version.released:
            if _is_within(axes, whole, one, version):
                way = _Found(version, axes, whole, one)
                (itself if way.is_itself else follows).append(way)
    return itself or follows or doubtful, named


def _grouping(variable: Variable, labels: Sequence[str]) -> Grouping | None:
    """Return which categories the labels of a file merge; those that it lacks are alone. None for an unknown label."""
    group_of: dict[str, str] = {}
    for label in labels:
        parts = (label,) if label in variable.categories else parts_of(label, variable.categories)
        if not parts or any(part in group_of for part in parts):
            return None
        group_of |= dict.fromkeys(parts, label)
    numbers: dict[str, int] = {}
    return tuple(numbers.setdefault(group_of.get(name, f"\0{name}"), len(numbers)) for name in variable.categories)


def _groupings(marginal: StoredMarginal, version: VersionHistory) -> tuple[Grouping, ...]:
    """Return the groups of the categories of a stored marginal, numbered in the order of their first categories."""
    return marginal.groupings or tuple(tuple(range(version.shape[axis])) for axis in marginal.axes)


def _is_within(
    axes: Sequence[int], groupings: Sequence[Grouping], source: StoredMarginal, version: VersionHistory
) -> bool:
    """Whether a marginal can be added up from a released one: no group of that is divided."""
    finer = dict(zip(source.axes, _groupings(source, version), strict=True))
    return all(
        axis in finer and len(set(zip(finer[axis], coarser, strict=True))) == len(set(finer[axis]))
        for axis, coarser in zip(axes, groupings, strict=True)
    )


def _checked(file: _File, found: _Found) -> VerifiedMarginal:
    variables = found.version.variables
    names = [
        [" + ".join(group) for group in named_groups(variables[axis], grouping)]
        for axis, grouping in zip(found.axes, found.groupings, strict=True)
    ]
    codes = [{name: code for code, name in enumerate(of_axis)} for of_axis in names]
    places = [file.names.index(variables[axis].name) for axis in found.axes]
    cells: dict[tuple[int, ...], int] = {}
    extra = repeated = 0
    for row, count in zip(file.rows, file.counts, strict=True):
        cell = tuple(code.get(row[place], -1) for code, place in zip(codes, places, strict=True))
        if -1 in cell:
            extra += 1
        elif cell in cells:
            repeated += 1
        else:
            cells[cell] = count
    missing = math.prod(len(of_axis) for of_axis in names) - len(cells)
    whole = not (missing or extra or repeated)
    source = found.source
    assert source.cells is not None
    assert source.counts is not None
    released = _added_up(found, source.axes, _groupings(source, found.version), source.cells, source.counts)
    checks = [
        Check(
            "rows",
            whole,
            "every cell of the marginal is there once, and no other"
            if whole
            else f"rows missing: {missing}, of no cell of the marginal: {extra}, repeated: {repeated}",
        ),
        _compared("counts", cells, released, "what was released"),
        Check(
            "header",
            file.is_simulated == source.simulated,
            "it says whether the counts are simulated"
            if file.is_simulated == source.simulated
            else "the counts are simulated, and the column of counts does not say so (simulated_count)"
            if source.simulated
            else "it says that the counts are simulated, and they are not",
        ),
    ]
    table, not_checked = found.version.table, []
    if source.simulated:
        not_checked.append(("table", "the counts are simulated: they are not those of the table"))
    elif table is None:
        not_checked.append(("table", f"the counts of version {found.version.version} are not stored any more"))
    else:
        identity = tuple(tuple(range(size)) for size in found.version.shape)
        everything = tuple(range(len(variables)))
        true = _added_up(found, everything, identity, table.cells, table.counts)
        checks.append(_compared("table", cells, true, f"version {found.version.version} of the table"))
    return VerifiedMarginal(found.words, Verification(tuple(checks)), not_checked=tuple(not_checked))


def _compared(name: str, cells: dict[tuple[int, ...], int], known: Counter[tuple[int, ...]], what: str) -> Check:
    wrong = sum(count != known.get(cell, 0) for cell, count in cells.items())
    text = f"every count is that of {what}" if not wrong else f"{wrong} of {len(cells)} counts are not those of {what}"
    return Check(name, not wrong, text)


def _added_up(
    found: _Found,
    axes: Sequence[int],
    groupings: Sequence[Grouping],
    cells: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> Counter[tuple[int, ...]]:
    """Return the counts of the marginal, added up from those by other variables and finer groups."""
    shape = tuple(max(grouping) + 1 for grouping in groupings)
    numbers = dict(zip(axes, np.unravel_index(cells, shape), strict=True))
    columns = []
    for axis, coarser in zip(found.axes, found.groupings, strict=True):
        finer = groupings[list(axes).index(axis)]
        group_of = dict(zip(finer, coarser, strict=True))
        columns.append([group_of[number] for number in numbers[axis].tolist()])
    sums: Counter[tuple[int, ...]] = Counter()
    for cell, count in zip(zip(*columns, strict=True), counts.tolist(), strict=True):
        sums[cell] += count
    return sums


def _release(answers: Sequence[RecordedAnswer], found: _Found) -> FoundRelease | None:
    """Return the answer by which a marginal went out."""
    merged = _merged(found.version.variables, found.axes, found.groupings)
    names = [found.version.variables[axis].name for axis in found.axes]
    for one in answers:
        same = {name: {frozenset(part) for part in parts} for name, parts in one.merged.items()}
        is_after = found.source.released_at is not None and one.at >= found.source.released_at
        if one.answer in _YES and is_after and [*one.names] == names and same == merged:
            return FoundRelease(one.entry, one.at, one.by, one.answer)
    return None


def _merged(
    variables: Sequence[Variable], axes: Sequence[int], groupings: Sequence[Grouping]
) -> dict[str, set[frozenset[str]]]:
    found = {}
    for axis, grouping in zip(axes, groupings, strict=True):
        groups = {frozenset(group) for group in named_groups(variables[axis], grouping) if len(group) > 1}
        if groups:
            found[variables[axis].name] = groups
    return found


def _in_words(variables: Sequence[Variable], axes: Sequence[int], groupings: Sequence[Grouping]) -> str:
    merged = {
        variables[axis].name: [group for group in named_groups(variables[axis], grouping) if len(group) > 1]
        for axis, grouping in zip(axes, groupings, strict=True)
    }
    return in_words(
        [variables[axis].name for axis in axes], {name: groups for name, groups in merged.items() if groups}
    )


def _source_in_words(found: _Found) -> str:
    return _in_words(found.version.variables, found.source.axes, _groupings(found.source, found.version))
