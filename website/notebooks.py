"""A notebook as a page."""

from __future__ import annotations

import json


def as_markdown(notebook: str, name: str) -> str:
    """Return the cells of a notebook as Markdown, with a link to the file.

    Parameters
    ----------
    notebook : str
        The JSON text of the notebook.
    name : str
        Name of the file, which lies beside the page.

    Examples
    --------
    >>> cells = '[{"cell_type": "markdown", "source": ["# A"]}, {"cell_type": "code", "source": ["!ls"]}]'
    >>> print(as_markdown('{"cells": ' + cells + '}', "a.ipynb"))
    # A
    <BLANKLINE>
    This page is a notebook: [download a.ipynb](a.ipynb) and run it in Jupyter.
    <BLANKLINE>
    ```python
    !ls
    ```
    <BLANKLINE>
    """
    parts = [_cell(cell) for cell in json.loads(notebook)["cells"]]
    parts.insert(1, f"This page is a notebook: [download {name}]({name}) and run it in Jupyter.")
    return "\n\n".join(parts) + "\n"


def _cell(cell: dict[str, object]) -> str:
    source = cell["source"]
    text = source if isinstance(source, str) else "".join(source)  # type: ignore[arg-type]
    return text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```"
