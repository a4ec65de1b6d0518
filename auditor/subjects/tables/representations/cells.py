"""A cell of a table by the names of its categories."""

from collections.abc import Sequence

from graphkit.hierarchies.variable import Variable


def named_cell(variables: Sequence[Variable], number: int) -> dict[str, str]:
    """Return the categories of a cell by variable.

    Examples
    --------
    >>> from graphkit.hierarchies.variable import Variable
    >>> named_cell([Variable("sex", ("f", "m")), Variable("ill", ("no", "yes"))], 2)
    {'sex': 'm', 'ill': 'no'}
    """
    codes = []
    for variable in reversed(variables):
        number, code = divmod(number, variable.size)
        codes.append(code)
    return {v.name: v.categories[code] for v, code in zip(variables, reversed(codes), strict=True)}
