"""Addresses of pages about things with names: any character may be in one."""

from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import quote, urlencode

from auditor.core.kinds import KINDS, kind_named
from graphkit.hierarchies.variable import Variable

Merged = Mapping[str, Iterable[Iterable[str]]]


def subject_url(subject: str) -> str | None:
    """Return the page of a subject; None for what has none.

    Examples
    --------
    >>> subject_url("table:a/b?"), subject_url("network:friends"), subject_url("token:7")
    ('/tables/a%2Fb%3F', '/networks/friends', None)
    """
    kind, _, name = subject.partition(":")
    pages = "schedules" if kind == "schedule" else kind_named(kind).plural if kind in KINDS else None
    return f"/{pages}/{quote(name, safe='')}" if pages and name else None


_WITH_ID = {"audit": "audits", "export": "exports", "approval": "approvals", "job": "jobs", "policy": "policy"}


def id_url(family: str, id: str) -> str | None:
    """Return the page of what has an id; None for what has none.

    Examples
    --------
    >>> id_url("audit", "7f"), id_url("token", "7f")
    ('/audits/7f', None)
    """
    pages = _WITH_ID.get(family)
    return f"/{pages}/{quote(id, safe='')}" if pages and id else None


def marginal_query(variables: Sequence[Variable], names: Iterable[str], merged: Merged) -> list[tuple[str, str]]:
    """Return what names a marginal in an address: its variables, and by position the categories that become one.

    Examples
    --------
    >>> from graphkit.hierarchies.variable import Variable
    >>> age = Variable("age", ("0-19", "20-59", "60-79", "80+"))
    >>> marginal_query([age], ["age"], {"age": [["60-79", "80+"]]})
    [('v', 'age'), ('m', '0:2+3')]
    """
    names = list(names)
    query = [("v", name) for name in names]
    for place, variable in enumerate(variables):
        for group in merged.get(variable.name, ()) if variable.name in names else ():
            codes = "+".join(str(variable.categories.index(category)) for category in group)
            query.append(("m", f"{place}:{codes}"))
    return query


def marginal_url(
    table: str,
    variables: Sequence[Variable],
    names: Iterable[str],
    merged: Merged | None = None,
    page: str = "marginal",
) -> str:
    """Return the page of a marginal.

    Examples
    --------
    >>> marginal_url("survey", [], ["sex", "Alter, Jahre"])
    '/tables/survey/marginal?v=sex&v=Alter%2C+Jahre'
    """
    return f"/tables/{quote(table, safe='')}/{page}?{urlencode(marginal_query(variables, names, merged or {}))}"
