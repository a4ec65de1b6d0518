"""Which columns of a file are the variables of a table, and which one holds the counts."""

from collections.abc import Sequence
from dataclasses import dataclass

from auditor.core.errors import BadInput
from auditor.formats.source import Source, shown

_SIMULATED = "simulated_count"

COUNT_NAMES = ("count", "n", "freq", _SIMULATED)
"""Names of a column of counts, in capitals or not; the last is what the auditor calls those of a simulated table."""

LIKELY_NAMES = (
    "counts", "patients", "persons", "people", "cases", "respondents", "individuals", "households", "inhabitants",
    "anzahl", "personen", "patienten", "fälle", "faelle", "häufigkeit", "haeufigkeit", "effectif", "effectifs",
)  # fmt: skip
"""Names of a column of counts where no other column is one. A number or a total may be anything: they are not here."""

# no column is taken for counts because of these: a user is asked
_MAYBE_NAMES = ("number", "total", "sum", "frequency", "nombre", "summe", "gesamt", "zahl")

# names that can hardly be meant otherwise: beside one of them, the others are variables
_PLAIN = ("count", _SIMULATED)

# R writes the names of rows into a first column without a name; collections of its data call it so
_ROW_NAMES = ("", "rownames")
_MOST_SHOWN = 20


@dataclass(frozen=True, slots=True)
class TableOptions:
    """What the caller knows about a file.

    Parameters
    ----------
    count : str, optional
        The column of counts; found by its name by default.
    records : bool
        Every row is a person: there are no counts.
    variables : tuple of str, optional
        The columns that are variables, in this order; all but the counts by default.
    sum : bool
        Add up the counts of rows with the same categories.
    missing : str, optional
        The category of empty fields; an error by default.
    delimiter : str, optional
        Of a text file; detected by default.
    order : tuple of tuple of str
        Categories that come first, a tuple a variable, its first item with the name, such as ``("risk=low", "high")``;
        see :func:`~auditor.formats.tables.category_order.category_order`. Which part is the name, the variables of the
        file tell: there may be equals signs in it.

    Raises
    ------
    BadInput
        If two of them exclude each other.
    """

    count: str | None = None
    records: bool = False
    variables: tuple[str, ...] | None = None
    sum: bool = False
    missing: str | None = None
    delimiter: str | None = None
    order: tuple[tuple[str, ...], ...] = ()

    def __post_init__(self) -> None:
        if self.records and self.count is not None:
            raise BadInput("--records and --count exclude each other: records have no counts; leave out one of them")
        if self.records and self.sum:
            raise BadInput("--sum adds up counts, and --records has none: records are always counted; leave out --sum")
        if self.missing is not None and not self.missing.strip():
            raise BadInput("the name for missing categories is blank; choose another one")


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns that count, by their place in the file."""

    names: tuple[str, ...]
    """Of the variables."""
    variables: tuple[int, ...]
    count: int | None
    """None for records."""
    remarks: tuple[str, ...]


def choose_columns(source: Source, names: Sequence[str], options: TableOptions) -> Columns:
    """Return which columns are the variables and which one holds the counts.

    Parameters
    ----------
    source : Source
        For messages.
    names : sequence of str
        Of all columns, in the order of the file.
    options : TableOptions

    Raises
    ------
    BadFile
        If a column has no name, or two have the same; or nothing tells which column holds the counts.
    BadInput
        If there is no column that the options name.
    """
    names = [name.strip() for name in names]
    remarks = []
    usable = list(range(len(names)))
    said = {options.count, *(options.variables or ())}
    if len(names) > 1 and names[0].lower() in _ROW_NAMES and (not names[0] or names[0] not in said):
        usable = usable[1:]
        remarks.append(f"left out the first column ({names[0] or 'it has no name'}): it names the rows")
    places: dict[str, int] = {}
    for place in usable:
        if not names[place]:
            raise source.bad(f"column {place + 1} has no name; write one into the header")
        if names[place] in places:
            raise source.bad(f"has two columns {shown(names[place])!r}; rename one of them")
        places[names[place]] = place
    count = _count_column(source, places, options)
    if count is not None and options.count is None and names[count].lower() in LIKELY_NAMES:
        remarks.append(
            f"column {names[count]} was read as the counts; if every row is a person, say --records ('a person' on the "
            "page); if another column has the counts, say --count COLUMN, or call it count"
        )
    if count is not None and names[count].lower() == _SIMULATED:
        remarks.append(
            f"{shown(source.path.name)} holds the counts of a simulated table (column {names[count]}), not of people"
        )
    if options.variables is None:
        variables = [place for place in usable if place != count]
    else:
        variables = [_place(source, places, name) for name in options.variables]
        if len(set(variables)) < len(variables):
            raise BadInput("a variable is named twice; name each once")
        if count in variables:
            raise BadInput(
                f"the column {names[variables[variables.index(count)]]!r} holds the counts, so it is no variable"
            )
    if not variables:
        raise source.bad("has no column but the counts; a table needs at least one variable")
    if options.variables is None and options.count is None:
        instead = "say --count COLUMN, or call it count and no other column so"
        if options.records:
            instead = "leave out --records (on the page: 'a cell, with its count')"
        remarks += [
            f"column {name} was read as a variable; if it holds counts, {instead}"
            for name, place in places.items()
            if name.lower() in (*COUNT_NAMES, *(LIKELY_NAMES if options.records else ())) and place != count
        ]
    return Columns(tuple(names[place] for place in variables), tuple(variables), count, tuple(remarks))


def _count_column(source: Source, places: dict[str, int], options: TableOptions) -> int | None:
    if options.records:
        return None
    if options.count is not None:
        return _place(source, places, options.count)
    found = [name for name in places if name.lower() in COUNT_NAMES and name not in (options.variables or ())]
    # an n beside it is a variable: nobody calls that count by mistake
    plain = [name for name in found if name.lower() in _PLAIN]
    for names in (found, plain):
        if len(names) == 1:
            return places[names[0]]
    if found:
        raise source.bad(
            f"has several columns that may hold the counts ({_listed(found)}); say --count COLUMN, or rename all "
            "but one"
        )
    likely = [name for name in places if name.lower() in LIKELY_NAMES and name not in (options.variables or ())]
    if len(likely) == 1:
        return places[likely[0]]
    maybe = likely or [name for name in places if name.lower() in _MAYBE_NAMES]
    raise source.bad(
        f"has no column of counts ({', '.join(COUNT_NAMES[:-1])} or {COUNT_NAMES[-1]}); "
        f"call one so, or say --count {shown(maybe[0]) if len(maybe) == 1 else 'COLUMN'}; where every row is a person, "
        "say --records ('a person' on the page)"
    )


def _place(source: Source, places: dict[str, int], name: str) -> int:
    if name.strip() not in places:
        raise BadInput(f"{source.name} has no column {shown(name)!r}; it has {_listed(list(places))}")
    return places[name.strip()]


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_SHOWN} more" if len(names) > _MOST_SHOWN else ""
    return shown(", ".join(names[:_MOST_SHOWN])) + more
