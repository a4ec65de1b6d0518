"""Settings: where the data lies, which store is used and with which limits; docs/configuration.md lists them.

Every setting is taken from the first place that has it: command line, environment, configuration file, default. The
file is the one named by ``--config``, else by ``AUDITOR_CONFIG``, else ``disclosure-auditor/config.toml`` in the user's
configuration folder (``XDG_CONFIG_HOME``, by default ``~/.config``), which need not exist.

A new section is a module with its model, a field of :class:`Settings`, and lines in :mod:`auditor.config.environment`.
"""

from auditor.config.edge_table import EdgeTableSettings
from auditor.config.loading import SourcedSettings, load_settings, load_sourced_settings
from auditor.config.log import LogFormat, LogLevel, LogSettings
from auditor.config.retention import RetentionSettings
from auditor.config.settings import Settings
from auditor.config.smtp import SmtpSettings
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
