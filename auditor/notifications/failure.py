"""Why a message did not arrive."""

from datetime import timedelta

from auditor.core.errors import AuditorError


class NotSent(AuditorError):
    """A message did not arrive; the text holds no address, no secret and nothing that the other side said.

    Parameters
    ----------
    reason : str
    final : bool, optional
        Whether another attempt is of no use.
    wait : timedelta, optional
        How long the other side asks to be left alone.
    """

    def __init__(self, reason: str, *, final: bool = False, wait: timedelta | None = None) -> None:
        super().__init__(reason)
        self.final, self.wait = final, wait
