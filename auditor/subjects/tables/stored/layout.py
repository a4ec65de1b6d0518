"""Variables and links of a stored table as text, and a table in the order in which its data were first stored."""

import json
from collections.abc import Sequence

import numpy as np
from pydantic import TypeAdapter

from auditor.ledger.chain import canonical_json
from graphkit.hierarchies.variable import Variable
from graphkit.tables.structure.contingency import ContingencyTable
from graphkit.tables.versions.variable_link import VariableLink

_LINKS = TypeAdapter(dict[int, tuple[VariableLink, ...]])


def variables_text(variables: Sequence[Variable]) -> str:
    """Return variables with their categories, in order, as JSON.

    Examples
    --------
    >>> variables_text([Variable("ill", ("no", "yes"))])
    '[["ill",["no","yes"]]]'
    """
    return canonical_json([[variable.name, list(variable.categories)] for variable in variables])


def parse_variables(text: str) -> tuple[Variable, ...]:
    """Return the variables that :func:`variables_text` wrote."""
    return tuple(Variable(name, tuple(categories)) for name, categories in json.loads(text))


def parse_links(text: str | None) -> dict[int, tuple[VariableLink, ...]]:
    """Return what was declared of the variables of earlier versions, by version; none where nothing was declared.

    Examples
    --------
    >>> parse_links('{"1":[{"new":["X"],"old":"A","rows":[]}]}')
    {1: (VariableLink(old='A', new=('X',), rows=()),)}
    """
    return {} if text is None else _LINKS.validate_json(text)


def in_layout(table: ContingencyTable, variables: Sequence[Variable]) -> ContingencyTable:
    """Return the same counts with variables and categories in another order.

    Parameters
    ----------
    table : ContingencyTable
    variables : sequence of Variable
        The table's own, in whatever order.

    Examples
    --------
    >>> table = ContingencyTable.from_dense([[1, 2]], [Variable("a", ("x",)), Variable("b", ("u", "v"))])
    >>> in_layout(table, [Variable("b", ("v", "u")), Variable("a", ("x",))]).dense().tolist()
    [[2], [1]]
    """
    shape = tuple(variable.size for variable in variables)
    codes, now = table.codes(), []
    for variable in variables:
        axis = table.names.index(variable.name)
        place = {category: code for code, category in enumerate(variable.categories)}
        turn = np.array([place[category] for category in table.variables[axis].categories], dtype=np.int64)
        now.append(turn[codes[axis]])
    cells = np.ravel_multi_index(tuple(now), shape).astype(np.int64) if table.cells.size else table.cells
    order = np.argsort(cells)
    return ContingencyTable(tuple(variables), cells[order], table.counts[order])
