"""Settings: the mail server."""

from typing import Literal

from pydantic import Field

from auditor.config.section import Section

_MAILBOX = r"^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9][A-Za-z0-9.-]*$"


class SmtpSettings(Section):
    """The mail server that messages go through; its password stands in the environment alone.

    Parameters
    ----------
    server : str or None
        Its name; None sends no mail.
    port : int or None
        None is 587 with STARTTLS and 465 with TLS.
    security : {"starttls", "tls"}
        There is no third way.
    sender : str or None
        E-mail address that messages come from.
    user : str or None
        Log-in; None for none.
    """

    server: str | None = Field(default=None, pattern=r"^[A-Za-z0-9][A-Za-z0-9.:-]*$")
    port: int | None = Field(default=None, gt=0, lt=65536)
    security: Literal["starttls", "tls"] = "starttls"
    sender: str | None = Field(default=None, pattern=_MAILBOX)
    user: str | None = None
