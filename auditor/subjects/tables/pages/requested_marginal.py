"""Which marginal an address or a form names."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import Form, Query

from auditor.core.errors import BadInput
from auditor.web.api.models import MarginalIn
from graphkit.hierarchies.variable import Variable

_MOST = 100
_MOST_GROUPS = 1000

VariablesQuery = Annotated[list[str], Query(default_factory=list, max_length=_MOST)]
MergedQuery = Annotated[list[str], Query(default_factory=list, max_length=_MOST_GROUPS)]
VariablesForm = Annotated[list[str], Form(default_factory=list, max_length=_MOST)]
MergedForm = Annotated[list[str], Form(default_factory=list, max_length=_MOST_GROUPS)]


def asked_marginal(variables: Sequence[Variable], v: Sequence[str], m: Sequence[str]) -> MarginalIn:
    """Return the marginal that is requested, its variables in the order of the table.

    Parameters
    ----------
    variables : sequence of Variable
        Those of the table.
    v : sequence of str
        Names of variables.
    m : sequence of str
        Each the position of a variable and of the categories of it that become one, such as ``0:2+3``. Positions
        are short and need no quotes, whatever a category is called.

    Raises
    ------
    BadInput
        If there is no such variable or category, or none is named.

    Examples
    --------
    >>> from graphkit.hierarchies.variable import Variable
    >>> table = [Variable("age", ("0-19", "20-59", "60+")), Variable("sex", ("f", "m"))]
    >>> asked_marginal(table, ["sex", "age"], ["0:1+2"])
    MarginalIn(variables=['age', 'sex'], merged={'age': [['20-59', '60+']]})
    """
    known = [variable.name for variable in variables]
    unknown = next((name for name in v if name not in known), None)
    if unknown is not None:
        raise BadInput(f"no variable '{unknown}'; the table has {', '.join(known)}")
    if not v:
        raise BadInput("choose at least one variable: the total is public")
    merged: dict[str, list[list[str]]] = {}
    for text in m:
        place, codes = _positions(text)
        if place >= len(variables) or any(code >= variables[place].size for code in codes):
            raise BadInput(f"m={text}: there is no such variable or category")
        if variables[place].name in v:
            categories = [variables[place].categories[code] for code in codes]
            merged.setdefault(variables[place].name, []).append(categories)
    return MarginalIn(variables=[name for name in known if name in v], merged=merged)


def _positions(text: str) -> tuple[int, list[int]]:
    place, _, codes = text.partition(":")
    parts = [place, *codes.split("+")]
    if len(parts) < 3 or not all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts):
        raise BadInput("m must be the position of a variable and of categories of it, such as 0:2+3")
    return int(place), sorted({int(part) for part in parts[1:]})
