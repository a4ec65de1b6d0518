"""A cell of a table by the names of its categories."""

from collections.abc import Sequence

import numpy as np

from graphkit.hierarchies.variable import Variable


def named_cell(variables: Sequence[Variable], number: int) -> dict[str, str]:
    """Return the categories of a cell by variable.

    Examples
    --------
    >>> from graphkit.hierarchies.variable import Variable
    >>> named_cell([Variable("sex", ("f", "m")), Variable("ill", ("no", "yes"))], 2)
    {'sex': 'm', 'ill': 'no'}
    """
    codes = np.unravel_index(number, [variable.size for variable in variables])
    return {v.name: v.categories[int(code)] for v, code in zip(variables, codes, strict=True)}
