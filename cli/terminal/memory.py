"""`--memory`: how much of it the database of a command may use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.core.errors import BadInput
from cli.terminal.context import Context

if TYPE_CHECKING:
    from auditor.config import EdgeTableSettings


def database_settings(context: Context, memory: str | None) -> EdgeTableSettings:
    """Return what the database may use: by the settings, or so much memory.

    Raises
    ------
    BadInput
        If the memory is not given as a size.
    """
    from pydantic import ValidationError

    from auditor.config import EdgeTableSettings

    settings = context.settings.edge_table
    if memory is None:
        return settings
    try:
        return EdgeTableSettings.model_validate({**settings.model_dump(), "memory": memory})
    except ValidationError:
        raise BadInput("--memory must be a number with k, m or g, such as 8g") from None
