"""The forms of exports on the page of records: as they are sent, and as they are shown again after a refusal."""

from math import isfinite
from typing import Literal

from pydantic import BaseModel, Field

from auditor.core.errors import BadInput
from auditor.subjects.microdata.jobs import GeneralizeIn, MicroaggregateIn
from auditor.web.pages.entered import checked, seconds_of

_LONGEST = 10_000
_MOST = 1000
_ALL = 100
"""Percent."""


class _ProtectForm(BaseModel):
    k: int = 0
    attributes: list[str] = Field(default_factory=list, max_length=_MOST)
    nominal: list[str] = Field(default_factory=list, max_length=_MOST)
    format: Literal["csv", "tsv", "parquet"] = "csv"
    minutes: float | None = None
    purpose: str = Field(default="", max_length=1000)
    called: str = Field(default="", max_length=200)

    @property
    def categories(self) -> list[str]:
        """The numbers that are categories among the columns that are to be protected at all."""
        return [column for column in self.nominal if column in self.attributes]

    @property
    def time_limit(self) -> float | None:
        """In seconds.

        Raises
        ------
        BadInput
            If it is none.
        """
        return seconds_of(self.minutes)


class MicroaggregateForm(_ProtectForm):
    """An export of groups and their means, as the page asks for it."""

    keep_integers: bool = False
    aggregate: Literal["mean", "median"] = "mean"
    scaling: Literal["standard", "robust", "range", "none"] = "standard"
    missing: Literal["error", "group", "impute"] = "error"

    def requested(self, name: str) -> MicroaggregateIn:
        """Return the job for records of a name.

        Raises
        ------
        BadInput
            If a number is outside what it may be.
        """
        return checked(
            MicroaggregateIn,
            kind="microaggregate",
            microdata=name,
            k=self.k,
            attributes=self.attributes,
            format=self.format,
            nominal=self.categories,
            keep_integers=self.keep_integers,
            aggregate=self.aggregate,
            scaling=self.scaling,
            missing=self.missing,
            time_limit=self.time_limit,
            purpose=self.purpose,
            name=self.called,
        )


class GeneralizeForm(_ProtectForm):
    """An export of generalized records, as the page asks for it."""

    hierarchies: str = Field(default="", max_length=_LONGEST)
    suppress: float = 0.0
    """Percent of the records."""
    distinct: str = Field(default="", max_length=_LONGEST)
    entropy: str = Field(default="", max_length=_LONGEST)
    t: str = Field(default="", max_length=_LONGEST)

    def requested(self, name: str) -> GeneralizeIn:
        """Return the job for records of a name.

        Raises
        ------
        BadInput
            If a list is not one of columns and what is said of each, or a number is outside what it may be.
        """
        hierarchies = "name hierarchies by their columns, such as zip=prefixes, age=intervals:5:20"
        if not 0 <= self.suppress < _ALL:
            raise BadInput(f"the share of records to leave out ({self.suppress:g} %) must be from 0 to below {_ALL}")
        return checked(
            GeneralizeIn,
            kind="generalize",
            microdata=name,
            k=self.k,
            attributes=self.attributes,
            hierarchies=_by_column(self.hierarchies, hierarchies),
            nominal=self.categories,
            suppress=self.suppress / 100,
            distinct={column: _whole(number) for column, number in _numbers(self.distinct).items()},
            entropy=_numbers(self.entropy),
            t=_numbers(self.t),
            format=self.format,
            time_limit=self.time_limit,
            purpose=self.purpose,
            name=self.called,
        )


def names_in(text: str) -> tuple[str, ...]:
    """Return the names in a list with commas or line ends between them.

    Examples
    --------
    >>> names_in("age, sex,")
    ('age', 'sex')
    """
    return tuple(name.strip() for name in text.replace("\n", ",").split(",") if name.strip())


def _by_column(text: str, advice: str) -> dict[str, str]:
    """Return what a list says of each column that it names."""
    found = {}
    for part in names_in(text):
        column, equals, how = map(str.strip, part.partition("="))
        if not (column and equals and how):
            raise BadInput(advice)
        found[column] = how
    if len(found) > _MOST:
        raise BadInput(f"a list names more than {_MOST} columns; name fewer")
    return found


def _numbers(text: str) -> dict[str, float]:
    """Return the number that a list has for each column that it names."""
    advice = "say a number for each sensitive column, such as illness=3, income=2"
    given = _by_column(text, advice)
    try:
        found = {column: float(number) for column, number in given.items()}
    except ValueError as error:
        raise BadInput(advice) from error
    if not all(isfinite(number) for number in found.values()):
        raise BadInput(advice)
    return found


def _whole(number: float) -> int:
    if number != int(number):
        raise BadInput("how many values must differ is a whole number, such as illness=3")
    return int(number)
