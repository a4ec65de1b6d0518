"""Options that say how attributes are compared and aggregated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.microdata.options import Nominal, all_names
from cli.microdata.pairs import all_pairs, as_pairs, weights_of

if TYPE_CHECKING:
    from auditor.subjects.microdata.exports.attributes.treatment import Treatment


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
    nominal: Nominal = None
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

        aggregates = dict(all_pairs(self.aggregate))
        return Treatment(
            self.scaling,
            weights_of(self.attribute_weight),
            aggregates.pop("", "mean"),
            aggregates,
            all_names(self.nominal),
            dict(self.ordinal or ()),
            self.missing,
        )
