"""Settings: where traces are sent."""

from urllib.parse import urlsplit

from pydantic import Field, field_validator

from auditor.config.sections import Section


class TelemetrySettings(Section):
    """Where traces are sent; nothing is measured without an endpoint.

    Parameters
    ----------
    endpoint : str or None
        Where a collector takes traces over HTTP (OTLP), such as ``http://collector:4318/v1/traces``.
    service_name : str
        How the traces call this service.
    """

    endpoint: str | None = None
    service_name: str = Field(default="disclosure-auditor", min_length=1, max_length=100)

    @field_validator("endpoint")
    @classmethod
    def _is_address(cls, endpoint: str | None) -> str | None:
        if endpoint is None:
            return None
        try:
            url = urlsplit(endpoint)
            host, _ = url.hostname, url.port
        except ValueError:
            host = None
        if not (host and endpoint.isascii() and endpoint.isprintable() and " " not in endpoint):
            raise ValueError("must be an address, such as http://collector:4318/v1/traces")
        if url.scheme not in ("http", "https") or "@" in url.netloc:
            raise ValueError("must begin with http:// or https://, without a user or password")
        return endpoint
