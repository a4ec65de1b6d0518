"""The sections of the settings but the one of the store, and what all have in common."""

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

MEMORY = r"^[1-9][0-9]*[kmg]$"
_MAILBOX = r"^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9][A-Za-z0-9.-]*$"

LogFormat = Literal["auto", "json", "text"]
LogLevel = Literal["debug", "info", "warning", "error"]


class Section(BaseModel):
    """A section of the settings: unknown keys are refused, nothing changes afterwards, no value is in an error."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class EdgeTableSettings(Section):
    """What the database may use that works on edge tables larger than memory.

    Parameters
    ----------
    memory : str or None
        Such as ``8g`` or ``512m``, for the tables; None is half of the machine's. The process needs some more.
    threads : int or None
        None is one for each processor.
    folder : Path or None
        Where temporary files go past that memory; None is beside the output, or the folder for temporary files.
    """

    memory: str | None = Field(default=None, pattern=MEMORY)
    threads: int | None = Field(default=None, gt=0)
    folder: Path | None = None

    @field_validator("folder")
    @classmethod
    def _is_folder(cls, folder: Path | None) -> Path | None:
        if folder is not None and not folder.expanduser().is_dir():
            raise ValueError("must be a folder that exists")
        return None if folder is None else folder.expanduser()

    @property
    def memory_bytes(self) -> int | None:
        """The memory in bytes."""
        return None if self.memory is None else int(self.memory[:-1]) << {"k": 10, "m": 20, "g": 30}[self.memory[-1]]


class LogSettings(Section):
    """What `schedule run`, `notify run` and `serve` write to stderr.

    Parameters
    ----------
    format : {"auto", "json", "text"}
        ``json``: one object a line; ``text``: for people; ``auto``: text on a terminal, else JSON.
    level : {"debug", "info", "warning", "error"}
        Nothing below it is written.
    """

    format: LogFormat = "auto"
    level: LogLevel = "info"


class RetentionSettings(Section):
    """How long the store keeps what is of no use any more; the ledger, audits and decisions are kept for ever.

    Parameters
    ----------
    sent_messages_days : int
        Messages that arrived; 0 keeps them for ever.
    done_ticks_days : int
        Due times of schedules whose audits were made; their audits stay. 0 keeps them for ever.
    """

    sent_messages_days: int = Field(default=30, ge=0, le=36_500)
    done_ticks_days: int = Field(default=400, ge=0, le=36_500)


class SmtpSettings(Section):
    """The mail server that messages go through; its password stands in the environment alone.

    Parameters
    ----------
    server : str or None
        Its name; None sends no mail.
    port : int or None
        None is 587 with STARTTLS and 465 with TLS.
    security : {"starttls", "tls"}
        There is no third way.
    sender : str or None
        E-mail address that messages come from.
    user : str or None
        Log-in; None for none.
    """

    server: str | None = Field(default=None, pattern=r"^[A-Za-z0-9][A-Za-z0-9.:-]*$")
    port: int | None = Field(default=None, gt=0, lt=65536)
    security: Literal["starttls", "tls"] = "starttls"
    sender: str | None = Field(default=None, pattern=_MAILBOX)
    user: str | None = None


def reason_of(error: Exception) -> str:
    """Return why a file could not be read, without anything that it holds."""
    return (error.strerror if isinstance(error, OSError) else None) or type(error).__name__
