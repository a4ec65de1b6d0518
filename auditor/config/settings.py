"""All settings."""

from pathlib import Path

from pydantic import model_validator

from auditor.config.log_in import GraphSettings
from auditor.config.oidc import OidcSettings
from auditor.config.sections import EdgeTableSettings, LogSettings, RetentionSettings, Section, SmtpSettings
from auditor.config.spark import SparkSettings
from auditor.config.store import StoreSettings
from auditor.config.telemetry import TelemetrySettings


class Settings(Section):
    """All settings, checked.

    Parameters
    ----------
    home : Path
        Folder of the local store (``AUDITOR_HOME``), by default ``disclosure-auditor`` in the user's data folder.
    cache : Path
        Folder of what can be fetched again, the Neo4j server above all (``AUDITOR_CACHE``); shared by all homes.
    neo4j_lib : Path or None
        The ``lib`` folder of an unpacked Neo4j, used instead of a fetched one (``AUDITOR_NEO4J_LIB``).
    policy : Path or None
        The policy of the house, for every command that is given none (``AUDITOR_POLICY``).
    store : StoreSettings
    graph : GraphSettings
    edge_table : EdgeTableSettings
    spark : SparkSettings
    smtp : SmtpSettings
    oidc : OidcSettings
    log : LogSettings
    retention : RetentionSettings
    telemetry : TelemetrySettings
    """

    home: Path
    cache: Path
    neo4j_lib: Path | None = None
    policy: Path | None = None
    store: StoreSettings = StoreSettings()
    graph: GraphSettings = GraphSettings()
    edge_table: EdgeTableSettings = EdgeTableSettings()
    spark: SparkSettings = SparkSettings()
    smtp: SmtpSettings = SmtpSettings()
    oidc: OidcSettings = OidcSettings()
    log: LogSettings = LogSettings()
    retention: RetentionSettings = RetentionSettings()
    telemetry: TelemetrySettings = TelemetrySettings()

    @model_validator(mode="after")
    def _absolute(self) -> "Settings":
        for name in ("home", "cache", "neo4j_lib", "policy"):
            path = getattr(self, name)
            if path is not None and not path.is_absolute():
                object.__setattr__(self, name, Path.cwd() / path.expanduser())
        return self


SECTIONS: dict[str, type[Section]] = {
    name: field.annotation
    for name, field in Settings.model_fields.items()
    if isinstance(field.annotation, type) and issubclass(field.annotation, Section)
}
"""The sections of the file, by name."""
