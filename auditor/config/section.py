"""What all sections of the settings have in common."""

from pydantic import BaseModel, ConfigDict

MEMORY = r"^[1-9][0-9]*[kmg]$"


class Section(BaseModel):
    """A section of the settings: unknown keys are refused, nothing changes afterwards, no value is in an error."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


def reason_of(error: Exception) -> str:
    """Return why a file could not be read, without anything that it holds."""
    return (error.strerror if isinstance(error, OSError) else None) or type(error).__name__
