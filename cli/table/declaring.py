"""What `auditor table map` declares of variables: names, and rows of categories that go together."""

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

from auditor.core.errors import BadInput
from auditor.formats.tables.names import split_at_equals
from cli.table.names import named_category
from graphkit.hierarchies.variable import Variable
from graphkit.tables.versions.variable_link import VariableLink


def declared_links(
    then: Sequence[Variable],
    now: Sequence[Variable],
    *,
    renamed: Iterable[str] = (),
    categories: Iterable[Sequence[str]] = (),
    files: Iterable[Path] = (),
    gone: Iterable[str] = (),
) -> tuple[VariableLink, ...]:
    """Return what is declared of variables of an earlier version.

    Parameters
    ----------
    then, now : sequence of Variable
        Those of the earlier and of the later version.
    renamed : iterable of str
        Each ``OLD=NEW``.
    categories : iterable of sequence of str
        Each a category of an earlier variable and one of each later variable that it goes with: ``OLD=X``, ``NEW=Y``.
    files : iterable of Path
        CSV, the same in columns: the earlier variable first.
    gone : iterable of str
        Earlier variables that nothing of the later version goes with.

    Raises
    ------
    BadInput
        If something is no such text, a variable is declared twice, or there is no such variable.

    Examples
    --------
    >>> from graphkit.hierarchies.variable import Variable
    >>> then, now = [Variable("A", ("no", "yes"))], [Variable("a=b", ("nein", "ja"))]
    >>> declared_links(then, now, renamed=["A=a=b"])
    (VariableLink(old='A', new=('a=b',), rows=()),)
    >>> declared_links(then, now, categories=[("A=no", "a=b=nein"), ("A=yes", "a=b=ja")])[0].rows
    (('no', 'nein'), ('yes', 'ja'))
    """
    old_names, new_names = {one.name for one in then}, {one.name for one in now}
    found = [VariableLink(name) for name in gone]
    for text in renamed:
        fitting = [pair for pair in split_at_equals(text) if pair[0] in old_names and pair[1] in new_names]
        if len(fitting) != 1:
            raise BadInput(
                f"--renamed ({text}) must name a variable of the earlier version and one of the later, OLD=NEW"
            )
        found.append(VariableLink(fitting[0][0], (fitting[0][1],)))
    rows: dict[tuple[str, tuple[str, ...]], list[tuple[str | None, ...]]] = {}
    for items in categories:
        sides = [named_category("--category", item, now if place else then) for place, item in enumerate(items)]
        if len(sides) < 2:
            raise BadInput(f"--category ({','.join(items)}) must name categories that go together, OLD=X,NEW=Y")
        key = sides[0][0], tuple(name for name, _ in sides[1:])
        rows.setdefault(key, []).append((sides[0][1] or None, *(category for _, category in sides[1:])))
    found += [VariableLink(old, new, tuple(together)) for (old, new), together in rows.items()]
    found += [_of_file(path) for path in files]
    names = [link.old for link in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise BadInput(f"'{twice}' is declared twice; name the same later variables, in the same order, in every row")
    return tuple(found)


def _of_file(path: Path) -> VariableLink:
    try:
        lines = list(csv.reader(path.read_text(encoding="utf-8-sig").splitlines(), strict=True))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise BadInput(f"{path} cannot be read as CSV: {error}") from None
    if len(lines) < 2 or len(lines[0]) < 2 or any(len(line) != len(lines[0]) for line in lines):
        raise BadInput(
            f"{path} must have a header with the earlier variable and those of the later version, and below it a row "
            "for each combination of their categories"
        )
    header, *body = [[field.strip() for field in line] for line in lines]
    return VariableLink(header[0], tuple(header[1:]), tuple((line[0] or None, *line[1:]) for line in body))
