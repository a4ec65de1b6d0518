"""Names of variables on a command line, and in sentences."""

from collections.abc import Iterable, Sequence

import typer

from auditor.core.errors import BadInput
from cli.terminal.names import split_names
from graphkit.hierarchies.variable import Variable

_MOST_CATEGORIES = 12


def named_lists(option: str, texts: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Return the parts of texts such as ``age=60-79,80+``; which variable is meant, only those of a table tell.

    Parameters
    ----------
    option : str
        Where they were written, for messages.
    texts : iterable of str

    Raises
    ------
    BadInput
        If a text can be no variable with two categories.

    Examples
    --------
    >>> named_lists("--merge", ["age=60-79,80+", '"illness=HIV, acute",flu'])
    (('age=60-79', '80+'), ('illness=HIV, acute', 'flu'))
    """
    from auditor.formats.tables.names import check_named_list

    found = []
    for text in texts:
        items = named_items(option, text)
        check_named_list(option, items)
        found.append(items)
    return tuple(found)


def named_items(option: str, text: str) -> tuple[str, ...]:
    """Return the parts of one such text.

    Raises
    ------
    BadInput
        If quotes are not closed, or a part is empty.
    """
    try:
        # the quotes go round the name and its category together, as they would in a file
        return split_names(text, 'age=60-79,80+; what has a comma or quotes, \'"illness=HIV, ""acute""",flu\'')
    except typer.BadParameter as error:
        raise BadInput(f"{option} ({text}) {error.message}") from None


def named_category(option: str, item: str, variables: Iterable[Variable]) -> tuple[str, str]:
    """Return the variable and the category that ``NAME=CATEGORY`` means; the category as written if there is none such.

    Raises
    ------
    BadInput
        If no such variable is named.

    Examples
    --------
    >>> from graphkit.hierarchies.variable import Variable
    >>> named_category("--cells", "a=b=2", [Variable("a", ("1", "2")), Variable("a=b", ("1", "2"))])
    ('a=b', '2')
    """
    from auditor.formats.tables.names import split_at_equals

    known = {variable.name: variable.categories for variable in variables}
    readings = [pair for pair in reversed(split_at_equals(item)) if pair[0] in known]
    if not readings:
        raise BadInput(
            f"{option}: '{item}' names no variable and category, such as sex=f; there are {', '.join(known)}; "
            "one with a comma stands in double quotes, '\"income, net=low\"'"
        )
    return next((pair for pair in readings if pair[1] in known[pair[0]]), readings[0])


def categories_of(variable: Variable) -> str:
    """Return the categories of a variable on one line, the first ones where there are many."""
    from auditor.formats.tables.names import quoted

    shown = ", ".join(map(quoted, variable.categories[:_MOST_CATEGORIES]))
    return shown if variable.size <= _MOST_CATEGORIES else f"{shown}, … ({variable.size})"


def merged_categories(
    lists: Iterable[Sequence[str]], variables: Iterable[Variable]
) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Return which categories become one, by variable.

    Parameters
    ----------
    lists : iterable of sequence of str
        As :func:`named_lists` gives them.
    variables : iterable of Variable
        Those of the table.

    Raises
    ------
    BadInput
        If there is no such variable or category.
    InvalidInput
        If a category is merged twice, or what is merged would have the name of another one.

    Examples
    --------
    >>> from graphkit.hierarchies.variable import Variable
    >>> variables = [Variable("age", ("0-19", "20-39", "60-79", "80+")), Variable("sex", ("f", "m"))]
    >>> merged_categories([("age=0-19", "20-39"), ("age=60-79", "80+")], variables)
    {'age': (('0-19', '20-39'), ('60-79', '80+'))}
    """
    from auditor.formats.tables.names import named_categories
    from graphkit.hierarchies.grouping import grouping_of, recoded_variable

    known = {variable.name: variable for variable in variables}
    categories = {name: variable.categories for name, variable in known.items()}
    found: dict[str, tuple[tuple[str, ...], ...]] = {}
    for items in lists:
        name, together = named_categories("--merge", items, categories)
        _check_categories(known[name], together)
        found[name] = (*found.get(name, ()), together)
    for name, groups in found.items():
        # a name that means two things is wrong input, whatever the answer would be
        recoded_variable(known[name], grouping_of(known[name], groups))
    return found


def _check_categories(variable: Variable, categories: Iterable[str]) -> None:
    unknown = next((category for category in categories if category not in variable.categories), None)
    if unknown is not None:
        # a quote inside an item begins nothing, so the list was cut at a comma that was meant to be within
        hint = "; quotes go round name and category together, '\"illness=HIV, acute\",flu'" if '"' in unknown else ""
        has = categories_of(variable)
        raise BadInput(f"--merge: variable '{variable.name}' has no category '{unknown}'; it has {has}{hint}")
