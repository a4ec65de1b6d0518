"""Section `[notify]`: who is told what, and where. No secret stands here: environment variables hold them."""

from pathlib import PurePosixPath
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from auditor.policy.meaning import Meaning
from auditor.policy.values import Section, Severity, in_order_of

Event = Literal[
    "finding-new",
    "finding-worse",
    "finding-better",
    "finding-gone",
    "waiver-expired",
    "approval-wanted",
    "approval-decided",
    "audit-failed",
    "tick-missed",
]
"""What one can be told of. All are changes: what stays as it is is told once."""

ChannelName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,62}$")]
VariableName = Annotated[str, StringConstraints(pattern=r"^[A-Z_][A-Z0-9_]{0,127}$")]
HostName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9.:-]{0,252}$")]


class Channel(Section):
    """One place where messages go."""

    kind: Annotated[
        Literal["webhook", "email", "file"],
        Meaning(
            "A webhook is signed (Standard Webhooks), e-mail is for people, a file for a collector on this machine."
        ),
    ] = Field(description="how a message is sent")
    address: Annotated[
        str | None,
        Meaning("It is stored with every audit, so it must hold no password and no token."),
    ] = Field(
        default=None,
        max_length=2000,
        description="address of the webhook (https), one e-mail address, or the absolute path of a file",
    )
    address_env: Annotated[
        VariableName | None,
        Meaning("The address of a webhook is often a secret itself: anyone who knows it can post."),
    ] = Field(default=None, description="environment variable that holds the address, in place of it")
    secret_env: Annotated[
        VariableName | None, Meaning("The receiver verifies the origin of a notification by its signature.")
    ] = Field(default=None, description="environment variable that holds the key that signs a webhook's messages")
    events: Annotated[
        tuple[Event, ...],
        in_order_of(Event),
        Meaning("One notification per change, not per audit: people ignore too many of them."),
    ] = Field(
        default=("finding-new", "finding-worse", "waiver-expired", "approval-wanted", "audit-failed"),
        min_length=1,
        description="events that are sent",
    )
    min_severity: Annotated[Severity, Meaning("Applies to findings only; other events are always sent.")] = Field(
        default="undecided", description="findings are sent from this severity on: violation, undecided, warning, info"
    )

    @model_validator(mode="after")
    def _fits_its_kind(self) -> "Channel":
        if (self.address is None) == (self.address_env is None):
            raise ValueError("give either address or address_env, the environment variable that holds it")
        if (self.kind == "webhook") != (self.secret_env is not None):
            raise ValueError("secret_env belongs to a webhook, and every webhook needs it to sign its messages")
        if self.address is not None:
            _CHECKS[self.kind](self.address)
        return self


class NotifyPolicy(Section):
    """Channels by name, and the private hosts that may be called."""

    about = "notifications: channels and events"
    channels: Annotated[dict[ChannelName, Channel], Meaning("Without a channel nobody is notified.")] = Field(
        default_factory=dict, description="where messages go: sections [notify.channels.NAME]"
    )
    allow_private: Annotated[
        tuple[HostName, ...],
        AfterValidator(lambda hosts: tuple(sorted({host.lower().rstrip(".") for host in hosts}))),
        Meaning(
            "Webhooks cannot reach private addresses, so that nobody can use the auditor to reach hosts behind the "
            "firewall. Hosts listed here are exempt, and need no TLS.",
            "fewer",
        ),
    ] = Field(default=(), description="hosts that may be called although their address is private")

    @model_validator(mode="after")
    def _plain_http_only_inside(self) -> "NotifyPolicy":
        for name, channel in self.channels.items():
            if channel.kind != "webhook" or channel.address is None:
                continue
            url = urlsplit(channel.address)
            if url.scheme == "http" and (url.hostname or "") not in self.allow_private:
                raise ValueError(
                    f"channel {name}: address must begin with https://, or its host stand in allow_private"
                )
        return self


def _check_webhook(address: str) -> None:
    try:
        url = urlsplit(address)
        host, _ = url.hostname, url.port
    except ValueError:
        raise ValueError("address is no valid URL") from None
    if url.scheme not in ("http", "https") or not host:
        raise ValueError("address must begin with https:// and name a host")
    if not address.isascii() or not address.isprintable() or " " in address:
        raise ValueError("address must be an address without spaces and special characters")
    if "@" in url.netloc or url.query or url.fragment or "?" in address:
        raise ValueError(
            "address must hold no user, password, query or fragment; put such an address into an environment variable"
            " and name that in address_env"
        )


def _check_email(address: str) -> None:
    name, _, domain = address.rpartition("@")
    fits = address.isascii() and address.isprintable() and not set(address) & set(' ,;<>"()[]\\:')
    if not (fits and name and "@" not in name and domain and not domain.startswith((".", "-"))):
        raise ValueError("address must be one e-mail address, such as officer@example.org")


def _check_file(address: str) -> None:
    if not PurePosixPath(address).is_absolute() or not address.isprintable() or address.endswith("/"):
        raise ValueError("address must be the absolute path of a file")


_CHECKS = {"webhook": _check_webhook, "email": _check_email, "file": _check_file}
