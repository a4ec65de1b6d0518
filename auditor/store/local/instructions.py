"""What the starter tells the server process, as JSON on its standard input."""

from pydantic import BaseModel, ConfigDict

from auditor.config import Settings
from auditor.store.local.layout import Layout


class Instructions(BaseModel):
    """Everything the server process needs to know.

    Parameters
    ----------
    settings : Settings
        Where everything is, and how the server runs; as far as the server needs them.
    heap : str
        Memory of the heap: of the settings, or more where that was too small to start.
    """

    model_config = ConfigDict(frozen=True)

    settings: Settings
    heap: str

    @property
    def layout(self) -> Layout:
        """Where the files of the server are."""
        return Layout.of(self.settings)
