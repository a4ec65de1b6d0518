"""Why somebody who came from a provider is not let in: what the page says, and nothing that the answer held."""


class LogInFailed(Exception):
    """A log-in at the provider did not succeed; the message is one sentence for the person.

    Parameters
    ----------
    message : str
    cause : str, optional
        A word for the log: which check failed.
    """

    status = 400

    def __init__(self, message: str, cause: str = "") -> None:
        super().__init__(message)
        self.cause = cause or type(self).__name__


class ProviderAway(LogInFailed):
    """The provider does not answer, or not as a provider does."""

    status = 503


class NotVouched(LogInFailed):
    """What came is not what the provider vouches for, for this log-in and this service."""

    status = 400


class NoRole(LogInFailed):
    """The person is known to the provider, and has no right here."""

    status = 403
