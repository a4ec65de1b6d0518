"""How a message reaches its channel; addresses and secrets are looked up at that moment, in the environment."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from pydantic import ValidationError

from auditor.config import SmtpSettings
from auditor.core.clock import Clock
from auditor.ledger.chain import canonical_json
from auditor.notifications.failure import NotSent
from auditor.notifications.record import NewMessage
from auditor.policy import Channel, NotifyPolicy

PASSWORD = "AUDITOR_SMTP_PASSWORD"
"""Environment variable with the password for the mail server."""

Deliver = Callable[[Channel, NotifyPolicy, "NewMessage"], None]
"""Hands a message over to a channel; raises `NotSent` if it did not arrive."""


def delivery(smtp: SmtpSettings, environ: Mapping[str, str], clock: Clock) -> Deliver:
    """Return what hands messages over.

    Parameters
    ----------
    smtp : SmtpSettings
        The mail server.
    environ : mapping of str to str
        Holds addresses and secrets.
    clock : callable
        The time.
    """

    def deliver(channel: Channel, rules: NotifyPolicy, message: NewMessage) -> None:
        address = _address(channel, environ)
        if channel.kind == "webhook":
            from auditor.notifications.webhook import send_webhook

            send_webhook(
                address,
                id=message.id,
                body=message.body.encode("utf-8"),
                timestamp=int(clock().timestamp()),
                keys=_value(channel.secret_env, environ),
                allow_private=rules.allow_private,
            )
        elif channel.kind == "email":
            from auditor.notifications.mail import make_mail, send_mail

            if smtp.sender is None:
                raise NotSent("no mail server; set server and sender in [smtp] of the configuration")
            text = str(json.loads(message.body)["text"])
            mail = make_mail(message.id, sender=smtp.sender, recipient=address, text=text, at=clock())
            send_mail(mail, smtp, environ.get(PASSWORD))
        else:
            from auditor.notifications.file import append_line

            append_line(Path(address), canonical_json({"id": message.id, **json.loads(message.body)}))

    return deliver


def _address(channel: Channel, environ: Mapping[str, str]) -> str:
    if channel.address is not None:
        return channel.address
    address = _value(channel.address_env, environ)
    if channel.kind != "webhook":
        # a webhook's may hold more than one that stands in a policy; it is checked where it is used
        try:
            Channel(kind=channel.kind, address=address)
        except ValidationError:
            raise NotSent(f"what {channel.address_env} holds is no address of this kind of channel") from None
    return address


def _value(variable: str | None, environ: Mapping[str, str]) -> str:
    assert variable is not None, "the policy was checked"
    if not environ.get(variable):
        raise NotSent(f"the environment variable {variable} is not set where messages are sent")
    return environ[variable]
