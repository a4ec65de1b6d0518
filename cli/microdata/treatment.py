"""Options that say how attributes are compared and aggregated."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.terminal.names import as_names, split_names

if TYPE_CHECKING:
    from auditor.subjects.microdata.exports.attributes.treatment import Treatment


def as_pairs(text: str) -> tuple[tuple[str, str], ...]:
    """Return the names and what each is set to, of a list such as ``A=1,B=2``; a word alone has no name.

    Raises
    ------
    typer.BadParameter
        If one is empty or the quotes are not closed.

    Examples
    --------
    >>> as_pairs("income=2,age=0.5"), as_pairs("median")
    ((('income', '2'), ('age', '0.5')), (('', 'median'),))
    """
    pairs = []
    for item in split_names(text, "income=2,age=0.5"):
        name, sign, value = (part.strip() for part in item.rpartition("="))
        if not value or (sign and not name):
            raise typer.BadParameter("lacks a name or what it is set to; write such as income=2,age=0.5")
        pairs.append((name, value))
    return tuple(pairs)


def as_scale(text: str) -> tuple[str, tuple[str, ...]]:
    """Return a name and the categories in their order, such as ``size=small<large``.

    Raises
    ------
    typer.BadParameter
        If it is no such text.

    Examples
    --------
    >>> as_scale("size=small<medium<large")
    ('size', ('small', 'medium', 'large'))
    """
    name, _, scale = text.partition("=")
    categories = tuple(part.strip() for part in scale.split("<"))
    if not name.strip() or len(categories) < 2 or not all(categories):
        raise typer.BadParameter("must be a column and its categories in order, such as size=small<medium<large")
    return name.strip(), categories


@dataclass(frozen=True, slots=True)
class TreatmentOptions:
    """How attributes are compared and aggregated, as far as the user says."""

    scaling: Annotated[
        str, typer.Option("--scaling", help="Of numbers and dates, before distances: standard, robust, range or none.")
    ] = "standard"
    attribute_weight: Annotated[
        list[Any] | None,
        typer.Option(
            "--attribute-weight",
            metavar="A=2,B=0.5",
            parser=as_pairs,
            help="What squared distances in an attribute count, 1 by default (repeatable).",
        ),
    ] = None
    aggregate: Annotated[
        list[Any] | None,
        typer.Option(
            "--aggregate",
            metavar="WORD|A=WORD",
            parser=as_pairs,
            help="mean or median of numbers and dates, for all or one of them (repeatable; mean by default).",
        ),
    ] = None
    nominal: Annotated[
        list[Any] | None,
        typer.Option("--nominal", metavar="A,B", parser=as_names, help="Attributes whose numbers are categories."),
    ] = None
    ordinal: Annotated[
        list[Any] | None,
        typer.Option(
            "--ordinal",
            metavar="A=ORDER",
            parser=as_scale,
            help="All categories of an attribute in their order, with < between them (repeatable; in the manifest).",
        ),
    ] = None
    missing: Annotated[
        str,
        typer.Option(
            "--missing",
            rich_help_panel="Comparing and aggregating attributes",
            help="Values that are missing: error, group (groups of their own) or impute.",
        ),
    ] = "error"

    def treatment(self) -> Treatment:
        """Return the treatment.

        Raises
        ------
        BadInput
            If a weight is no number, or lacks its attribute.
        """
        from auditor.subjects.microdata.exports.attributes.treatment import Treatment

        aggregates = dict(_all(self.aggregate))
        return Treatment(
            self.scaling,
            {name: weight_of(name, value) for name, value in _all(self.attribute_weight)},
            aggregates.pop("", "mean"),
            aggregates,
            tuple(name for names in self.nominal or () for name in names),
            dict(self.ordinal or ()),
            self.missing,
        )


def _all(given: Iterable[Any] | None) -> list[tuple[str, str]]:
    return [pair for pairs in given or () for pair in pairs]


def weight_of(name: str, value: str) -> float:
    """Return the weight of an attribute.

    Raises
    ------
    BadInput
        If it is no number, or lacks its attribute.
    """
    from auditor.core.errors import BadInput

    if not name:
        raise BadInput("--attribute-weight needs an attribute for each weight, such as income=2")
    try:
        return float(value)
    except ValueError:
        raise BadInput(f"weight of {name!r} must be a number, such as {name}=2") from None
