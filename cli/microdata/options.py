"""Arguments and options that several commands about files of records share."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.microdata.pairs import named_pairs
from cli.terminal.completing import files_or, stored
from cli.terminal.names import as_names

if TYPE_CHECKING:
    from auditor.formats.records.roles import Roles

Name = Annotated[str, typer.Argument(autocompletion=stored("microdata"), help="Name of stored microdata.")]
Records = Annotated[
    str,
    typer.Argument(metavar="NAME|FILE", autocompletion=files_or("microdata"), help="Stored microdata or a file."),
]
Delimiter = Annotated[str | None, typer.Option("--delimiter", help="Of a text file: delimiter; detected by default.")]
OriginalDelimiter = Annotated[
    str | None,
    typer.Option("--delimiter", help="Of an ORIGINAL of text: delimiter; detected by default, as that of RELEASED is."),
]
MissingText = Annotated[
    list[str] | None,
    typer.Option(
        "--missing-text",
        metavar="TEXT",
        help="Of a text file: a field that stands for a missing value, such as NA; empty fields do (repeatable).",
    ),
]
RolesFile = Annotated[
    Path | None, typer.Option("--roles", metavar="FILE", help="Roles of the columns (TOML); options overrule it.")
]


def _columns(option: str, help: str) -> Any:
    return typer.Option(option, metavar="A,B", parser=as_names, help=help)


Identifiers = Annotated[
    list[Any] | None,
    _columns("--identifier", "Columns that name a respondent directly; no release has them (repeatable)."),
]
QuasiIdentifiers = Annotated[
    list[Any] | None, _columns("--quasi-identifier", "Columns that an attacker may know (repeatable).")
]
Sensitive = Annotated[
    list[Any] | None, _columns("--sensitive", "Columns that an attacker must not learn (repeatable).")
]
Weight = Annotated[str | None, typer.Option("--weight", metavar="COLUMN", help="Column of sampling weights.")]
Stratum = Annotated[
    str | None, typer.Option("--stratum", metavar="COLUMN", help="Column of strata, which no protection mixes.")
]
Household = Annotated[
    str | None, typer.Option("--household", metavar="COLUMN", help="Column of households, found together.")
]
RecordKey = Annotated[
    str | None,
    typer.Option("--record-key", metavar="COLUMN", help="Tells respondents apart across versions; never leaves."),
]
Geography = Annotated[
    list[Any] | None, _columns("--geography", "Quasi-identifiers that together name a geographic unit (repeatable).")
]
Populations = Annotated[
    Path | None,
    typer.Option("--populations", metavar="FILE", help="How many people live in each unit: its columns, population."),
]

LeaveOut = Annotated[
    list[Any] | None, _columns("--leave-out", "Columns that releases leave out, though they name nobody (repeatable).")
]

Nominal = Annotated[list[Any] | None, _columns("--nominal", "Attributes whose numbers are categories.")]
TimeLimit = Annotated[
    float | None, typer.Option("--time-limit", help="Seconds for the engine; it then returns its best answer.")
]


@dataclass(frozen=True, slots=True)
class RoleOptions:
    """Roles of columns, as far as the user declared them."""

    identifier: Identifiers = None
    quasi_identifier: QuasiIdentifiers = None
    sensitive: Sensitive = None
    weight: Weight = None
    stratum: Stratum = None
    household: Household = None
    record_key: RecordKey = None
    geography: Geography = None
    populations: Populations = None
    leave_out: LeaveOut = None
    roles: RolesFile = None

    @property
    def is_empty(self) -> bool:
        """Whether the user declared none."""
        return self == RoleOptions()

    def declared(self, before: Roles | None = None) -> Roles:
        """Return the roles: those of the file, or those before, overruled by the options.

        Raises
        ------
        NotFound, BadInput
            As :func:`auditor.formats.records.roles.read_roles`, or if a column is given two roles.
        """
        from auditor.formats.records.roles import Roles, read_roles

        roles = before if before is not None else Roles()
        roles = roles if self.roles is None else read_roles(self.roles)
        return roles.overruled(
            identifiers=all_names(self.identifier),
            quasi_identifiers=all_names(self.quasi_identifier),
            sensitive=all_names(self.sensitive),
            weight=self.weight,
            stratum=self.stratum,
            household=self.household,
            record_key=self.record_key,
            geography=all_names(self.geography),
            populations=None if self.populations is None else str(self.populations.resolve()),
            left_out=all_names(self.leave_out),
        )


@dataclass(frozen=True, slots=True)
class Reading:
    """How a text file is read, as far as the user says."""

    delimiter: Delimiter = None
    missing_text: MissingText = None

    @property
    def is_empty(self) -> bool:
        """Whether the user says nothing."""
        return self == type(self)()

    @property
    def missing(self) -> tuple[str, ...]:
        """What stands for a missing value."""
        return tuple(self.missing_text or ())


@dataclass(frozen=True, slots=True)
class OriginalReading(Reading):
    """The same, where a second file is read as it is laid out itself."""

    delimiter: OriginalDelimiter = None


def all_names(given: list[Any] | None) -> tuple[str, ...]:
    """Return the names of an option that may be repeated."""
    return tuple(name for names in given or () for name in names)


def hierarchies_of(given: list[Any] | None) -> dict[str, str]:
    """Return the hierarchy of each attribute that has one.

    Raises
    ------
    BadInput
        If one is that of no attribute.
    """
    return named_pairs(given, "--hierarchy", "zip=prefixes")
