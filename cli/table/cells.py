"""Cells on a command line, by categories."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from cli.table.names import as_names
from cli.table.shown import categories_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from graphkit.hierarchies.variable import Variable

_MOST = 2**22


def chosen_cells(variables: Sequence[Variable], texts: Iterable[str]) -> NDArray[np.int64]:
    """Return the numbers of the cells that one of some texts describes, such as ``sex=f,smoking=yes``.

    A text names categories; a variable that it does not name may have any. Of two categories of one variable, either.
    What has a comma stands in double quotes, name and category together; a double quote within them is written twice.

    Raises
    ------
    BadInput
        If there is no such variable or category, or the cells are too many.

    Examples
    --------
    >>> from graphkit.hierarchies.variable import Variable
    >>> variables = [Variable("sex", ("f", "m")), Variable("ill", ("no", "yes"))]
    >>> chosen_cells(variables, ["sex=f"]).tolist(), chosen_cells(variables, ["sex=m,ill=yes", "ill=no"]).tolist()
    ([0, 1], [0, 2, 3])
    """
    import numpy as np

    from auditor.core.errors import BadInput

    shape = tuple(variable.size for variable in variables)
    found = []
    for text in texts:
        chosen: list[set[int]] = [set() for _ in variables]
        for item in as_names(text):
            axis, code = _category(variables, item)
            chosen[axis].add(code)
        codes = [sorted(some) or list(range(size)) for some, size in zip(chosen, shape, strict=True)]
        if math.prod(map(len, codes)) > _MOST:
            raise BadInput(f"--cells ({text}) chooses more than {_MOST} cells; name more categories")
        numbers = np.zeros((1,), dtype=np.int64)
        for some, size in zip(codes, shape, strict=True):
            numbers = (numbers[:, None] * size + np.array(some, dtype=np.int64)).reshape(-1)
        found.append(numbers)
    return np.unique(np.concatenate(found))


def _category(variables: Sequence[Variable], item: str) -> tuple[int, int]:
    """Return the variable and the category that ``NAME=CATEGORY`` means; either may have equals signs in it."""
    from auditor.core.errors import BadInput

    names = {variable.name: axis for axis, variable in enumerate(variables)}
    unknown = None
    for place, sign in enumerate(item):
        axis = names.get(item[:place].strip()) if sign == "=" else None
        if axis is not None:
            category = item[place + 1 :].strip()
            if category in variables[axis].categories:
                return axis, variables[axis].categories.index(category)
            has = categories_of(variables[axis])
            unknown = f"variable '{variables[axis].name}' has no category '{category}'; it has {has}"
    raise BadInput(
        unknown
        or f"--cells ({item}) must name a variable and a category, such as sex=f; "
        "one with a comma stands in double quotes, '\"income, net=low\"'"
    )
