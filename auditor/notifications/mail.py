"""Messages by e-mail: to one person, over TLS, through the server that the configuration names."""

import email.policy
import smtplib
import ssl
from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime

from auditor.config import SmtpSettings
from auditor.notifications.connecting import socket_reason
from auditor.notifications.failure import NotSent

SECONDS = 30.0
"""For one step of the conversation with the server."""

_LONGEST_SUBJECT = 150


def make_mail(id: str, *, sender: str, recipient: str, text: str, at: datetime) -> EmailMessage:
    """Return a message as a mail.

    Parameters
    ----------
    id : str
        Of the message: two mails of one message have one `Message-ID`.
    sender, recipient : str
        Checked addresses.
    text : str
        A sentence.
    at : datetime

    Raises
    ------
    ValueError
        If a header would hold a line break.

    Examples
    --------
    >>> from datetime import UTC
    >>> mail = make_mail("msg_1", sender="a@example.org", recipient="b@example.org", text="Something is new.",
    ...                  at=datetime(2026, 3, 1, tzinfo=UTC))
    >>> mail["Subject"], mail["Message-ID"]
    ('Disclosure auditor: Something is new.', '<msg_1@example.org>')
    """
    mail = EmailMessage(email.policy.SMTP)
    mail["From"], mail["To"] = sender, recipient
    subject = "".join(character if character.isprintable() else "?" for character in text)
    mail["Subject"] = f"Disclosure auditor: {subject}"[:_LONGEST_SUBJECT]
    mail["Date"] = format_datetime(at)
    mail["Message-ID"] = f"<{id}@{sender.rpartition('@')[2]}>"
    # no answer by a machine, such as 'out of office'
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content(f"{text}\n")
    return mail


def send_mail(
    mail: EmailMessage,
    settings: SmtpSettings,
    password: str | None,
    *,
    context: ssl.SSLContext | None = None,
    seconds: float = SECONDS,
) -> None:
    """Hand a mail over to the server.

    Parameters
    ----------
    mail : EmailMessage
    settings : SmtpSettings
    password : str or None
        Of the user of the settings.
    context : SSLContext, optional
        By default the machine's certificate authorities.
    seconds : float

    Raises
    ------
    NotSent
        If the server did not take it.
    """
    if settings.server is None or settings.sender is None:
        raise NotSent("no mail server; set server and sender in [smtp] of the configuration")
    if settings.user is not None and not password:
        raise NotSent("no password for the mail server; set AUDITOR_SMTP_PASSWORD")
    context = context or ssl.create_default_context()
    try:
        with _opened(settings, context, seconds) as server:
            if settings.user is not None:
                server.login(settings.user, password or "")
            server.send_message(mail)
    except smtplib.SMTPResponseException as error:
        # what the server says may quote the address
        raise NotSent(f"the mail server answered {error.smtp_code}") from None
    except smtplib.SMTPRecipientsRefused as error:
        codes = sorted({code for code, _ in error.recipients.values()})
        raise NotSent(f"the mail server does not take mail for this address ({', '.join(map(str, codes))})") from None
    except smtplib.SMTPException as error:
        raise NotSent(f"the mail server did not take it ({type(error).__name__})") from None
    except (OSError, ValueError) as error:
        raise NotSent(f"mail server: {socket_reason(error)}") from None


def _opened(settings: SmtpSettings, context: ssl.SSLContext, seconds: float) -> smtplib.SMTP:
    assert settings.server is not None, "it was checked"
    if settings.security == "tls":
        return smtplib.SMTP_SSL(settings.server, settings.port or 465, timeout=seconds, context=context)
    server = smtplib.SMTP(settings.server, settings.port or 587, timeout=seconds)
    try:
        # raises if the server offers none: nothing is ever said in the clear
        server.starttls(context=context)
    except BaseException:
        server.close()
        raise
    return server
