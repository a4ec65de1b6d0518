"""Settings: the log of the processes that go on running."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

LogFormat = Literal["auto", "json", "text"]
LogLevel = Literal["debug", "info", "warning", "error"]


class LogSettings(BaseModel):
    """What `schedule run`, `notify run` and `serve` write to stderr.

    Parameters
    ----------
    format : {"auto", "json", "text"}
        ``json``: one object a line; ``text``: for people; ``auto``: text on a terminal, else JSON.
    level : {"debug", "info", "warning", "error"}
        Nothing below it is written.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    format: LogFormat = "auto"
    level: LogLevel = "info"
