"""Settings: the OpenID provider of the house, where people log in to the service."""

import ipaddress
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator, model_validator

from auditor.config.sections import Section, reason_of
from auditor.core.errors import PolicyError

RoleName = Literal["viewer", "requester", "officer", "administrator"]


class OidcSettings(Section):
    """The OpenID provider of the house; without an issuer people log in with tokens alone.

    Parameters
    ----------
    issuer : str or None
        Its address, exactly as it calls itself.
    client_id : str or None
        How it calls this service.
    client_secret, client_secret_file : secret, path
        What this service proves itself with; the file holds it on its first line. None for a public client.
    service_url : str or None
        Where browsers reach this service, such as ``https://audit.example.org``.
    name : str
        How the page calls the provider.
    scopes : tuple of str
        What is asked for; ``openid`` always is.
    groups_claim : str
        The claim with a person's groups; dots lead into objects (``realm_access.roles``).
    name_claim : str
        The claim with a person's name.
    roles : mapping of str to role
        The role of each group; the first line with a group of the person's decides.
    people : mapping of str to str
        Who a subject of the provider is, by the name that their tokens have.
    trust_names : bool
        Whether the provider's names are those of tokens: nobody can choose their own there.
    audience : tuple of str
        Who else an ID token may be for, beside this service.
    recheck_minutes : int
        After so long a person is sent to the provider again, and the groups are looked at again.
    timeout : float
        Seconds until an unanswered request to the provider is given up.
    """

    issuer: str | None = None
    client_id: str | None = Field(default=None, min_length=1, max_length=200)
    client_secret: SecretStr | None = None
    client_secret_file: Path | None = None
    service_url: str | None = None
    name: str = Field(default="your organization", min_length=1, max_length=60, pattern=r"^[^\x00-\x1f\x7f]+$")
    scopes: tuple[str, ...] = ("openid", "profile")
    groups_claim: str = Field(default="groups", min_length=1)
    name_claim: str = Field(default="preferred_username", min_length=1)
    roles: Mapping[str, RoleName] = Field(default_factory=dict)
    people: Mapping[str, str] = Field(default_factory=dict)
    trust_names: bool = False
    audience: tuple[str, ...] = ()
    recheck_minutes: int = Field(default=60, ge=5, le=480)
    timeout: float = Field(default=10.0, gt=0, le=60)

    @field_validator("issuer", "service_url")
    @classmethod
    def _is_safe(cls, address: str | None) -> str | None:
        if address is not None and not is_safe_address(address):
            raise ValueError("must be an address that begins with https:// (http:// on this machine alone)")
        return address

    @field_validator("service_url")
    @classmethod
    def _is_whole(cls, address: str | None) -> str | None:
        if address is not None and urlsplit(address).path not in ("", "/"):
            raise ValueError("must end with the host, or its port: the service is at the root of its address")
        return None if address is None else address.rstrip("/")

    @field_validator("scopes", "audience", mode="before")
    @classmethod
    def _from_words(cls, value: Any) -> Any:
        return tuple(value.split()) if isinstance(value, str) else value

    @field_validator("roles", "people", mode="before")
    @classmethod
    def _from_pairs(cls, value: Any) -> Any:
        """Read `group=role, group=role`, as a variable of the environment holds them."""
        if not isinstance(value, str):
            return value
        pairs = [one.rpartition("=") for one in value.split(",") if one.strip()]
        if not all(key.strip() and equals for key, equals, _ in pairs):
            raise ValueError("must look like NAME=VALUE, NAME=VALUE")
        return {key.strip(): found.strip() for key, _, found in pairs}

    @model_validator(mode="after")
    def _is_complete(self) -> "OidcSettings":
        if self.issuer is None:
            return self
        for name in ("client_id", "service_url", "roles"):
            if not getattr(self, name):
                raise ValueError(f"an issuer needs {name}, too")
        if "openid" not in self.scopes:
            object.__setattr__(self, "scopes", ("openid", *self.scopes))
        return self

    def read_secret(self) -> str | None:
        """Return what the service proves itself with, from ``client_secret`` or else from its file.

        Raises
        ------
        PolicyError
            If the file cannot be read, or is empty.
        """
        if self.client_secret is not None:
            return self.client_secret.get_secret_value()
        if self.client_secret_file is None:
            return None
        try:
            first_line, *_ = self.client_secret_file.read_text(encoding="utf-8").splitlines() or [""]
        except (OSError, UnicodeDecodeError) as error:
            raise PolicyError(
                f"oidc.client_secret_file {self.client_secret_file} cannot be read: {reason_of(error)}"
            ) from error
        if not first_line:
            raise PolicyError(f"oidc.client_secret_file {self.client_secret_file} has no secret on its first line")
        return first_line


def is_safe_address(address: str) -> bool:
    """Whether an address is one of HTTPS, or of this machine alone, without a log-in, a query or a fragment.

    Examples
    --------
    >>> is_safe_address("https://id.example.org/realms/house"), is_safe_address("http://id.example.org")
    (True, False)
    >>> is_safe_address("http://localhost:8080"), is_safe_address("https://ann:pw@id.example.org")
    (True, False)
    """
    try:
        url = urlsplit(address)
        host, _ = url.hostname or "", url.port
    except ValueError:
        return False
    # a line break or a blank would be dropped from it
    if not (address.isascii() and address.isprintable() and " " not in address and host):
        return False
    if "@" in url.netloc or url.query or url.fragment or "?" in address or "#" in address:
        return False
    return url.scheme == "https" or (url.scheme == "http" and _is_here(host))


def _is_here(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
