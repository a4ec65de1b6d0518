"""Cells on a command line, by categories."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from cli.table.names import categories_of, named_category
from cli.terminal.names import as_names
from graphkit.hierarchies.variable import Variable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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

    names, shape = [variable.name for variable in variables], tuple(variable.size for variable in variables)
    found = []
    for text in texts:
        chosen: list[set[int]] = [set() for _ in variables]
        for item in as_names(text):
            name, category = named_category("--cells", item, variables)
            variable = variables[names.index(name)]
            if category not in variable.categories:
                raise BadInput(f"variable '{name}' has no category '{category}'; it has {categories_of(variable)}")
            chosen[names.index(name)].add(variable.categories.index(category))
        codes = [sorted(some) or list(range(size)) for some, size in zip(chosen, shape, strict=True)]
        if math.prod(map(len, codes)) > _MOST:
            raise BadInput(f"--cells ({text}) chooses more than {_MOST} cells; name more categories")
        found.append(np.ravel_multi_index(np.ix_(*codes), shape).reshape(-1))
    return np.unique(np.concatenate(found))
