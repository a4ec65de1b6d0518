"""Settings: where the data lies, which store is used and with which limits; docs/configuration.md lists them.

Every setting is taken from the first place that has it: command line, environment, configuration file, default. The
file is the one named by ``--config``, else by ``AUDITOR_CONFIG``, else ``disclosure-auditor/config.toml`` in the user's
configuration folder (``XDG_CONFIG_HOME``, by default ``~/.config``), which need not exist.

A new section is a model in :mod:`auditor.config.sections`, a field of :class:`Settings`, and lines in
:mod:`auditor.config.environment`.
"""

from auditor.config.loading import SourcedSettings, load_settings, load_sourced_settings
from auditor.config.sections import (
    EdgeTableSettings,
    LogFormat,
    LogLevel,
    LogSettings,
    RetentionSettings,
    SmtpSettings,
)
from auditor.config.settings import Settings
from auditor.config.store import LOCAL, StoreSettings

__all__ = [
    "LOCAL",
    "EdgeTableSettings",
    "LogFormat",
    "LogLevel",
    "LogSettings",
    "RetentionSettings",
    "Settings",
    "SmtpSettings",
    "SourcedSettings",
    "StoreSettings",
    "load_settings",
    "load_sourced_settings",
]
