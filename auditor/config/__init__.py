"""Settings: where the data lies, which store is used and with which limits; docs/configuration.md lists them.

Every setting is taken from the first place that has it: command line, environment, configuration file, default. The
file is the one named by ``--config``, else by ``AUDITOR_CONFIG``, else ``disclosure-auditor/config.toml`` in the user's
configuration folder (``XDG_CONFIG_HOME``, by default ``~/.config``), which need not exist.

A new section is a model in :mod:`auditor.config.sections`, a field of :class:`Settings`, and lines in
:mod:`auditor.config.environment`.
"""

from graphkit.doors import open_door

__all__, __getattr__, __dir__ = open_door(__name__)
