"""Where the templates of reports lie, and how their numbers are written."""

from functools import cache
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

from auditor.reports.names import readable
from graphkit.numbers import count, figure, share


@cache
def report_environment(package: str) -> Environment:
    """Return the templates of a kind's reports; frame, look and common parts of a page are here.

    Parameters
    ----------
    package : str
        Has a folder `templates`; its ``words.html`` explains the words of its pages.
    """
    environment = Environment(
        loader=ChoiceLoader([PackageLoader(package), PackageLoader("auditor.reports")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters: dict[str, Any] = {"count": count, "figure": figure, "share": share, "readable": readable}
    environment.filters.update(filters)
    return environment
