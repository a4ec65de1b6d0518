"""The list of the subjects of one kind: filtered by name, sorted by a column, shown in parts."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from auditor.web.pages.shown.listing import Listing

_SHOWN = 50


class SubjectFilter(BaseModel):
    """Which part of a list is asked for, and in what order."""

    model_config = ConfigDict(extra="ignore")

    text: str = Field(default="", max_length=200)
    sort: str = Field(default="", max_length=20)
    skip: int = Field(default=0, ge=0, le=10_000_000)


def subject_list(
    path: str, asked: SubjectFilter, subjects: Sequence[Any], columns: Mapping[str, Callable[[Any], Any]]
) -> dict[str, Any]:
    """Return what a template has of a list: ``rows``, ``stored`` (whether there are any at all), ``listing`` and parts.

    Parameters
    ----------
    path : str
        Of the page.
    asked : SubjectFilter
        A sort that is no column leaves the order as it is.
    subjects : sequence
        All of them, each with a `name`, in the list's own order.
    columns : mapping
        What each column is sorted by, beside `name`; equal ones stay in the list's own order.

    Examples
    --------
    >>> from types import SimpleNamespace as Named
    >>> both = [Named(name="Ann", size=2), Named(name="Bob", size=5)]
    >>> shown = subject_list("/pets", SubjectFilter(sort="-size"), both, {"size": lambda one: one.size})
    >>> [one.name for one in shown["rows"]], shown["shown"]
    (['Bob', 'Ann'], (1, 2, 2))
    """
    text = asked.text.strip()
    found = [one for one in subjects if text.lower() in one.name.lower()]
    key = {"name": lambda one: one.name, **columns}.get(asked.sort.removeprefix("-"))
    if key is not None:
        found.sort(key=key, reverse=asked.sort.startswith("-"))
    listing = Listing(path, {"text": text}, asked.sort if key is not None else "", asked.skip, _SHOWN)
    part = found[asked.skip : asked.skip + _SHOWN + 1]
    parts = listing.parts(len(part), len(found))
    return {"rows": part[:_SHOWN], "stored": bool(subjects), "listing": listing, **parts}
