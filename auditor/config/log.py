"""Settings: the log of the processes that go on running."""

from typing import Literal

from auditor.config.section import Section

LogFormat = Literal["auto", "json", "text"]
LogLevel = Literal["debug", "info", "warning", "error"]


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
