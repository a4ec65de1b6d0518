"""What a kind of subject does with something of it that awaits a second person."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any


class Approver(ABC):
    """What becomes of something that awaits a second person."""

    @abstractmethod
    def approve(
        self, store: Any, id: str, *, actor: str, clock: Callable[[], float], agreement: str | None = None
    ) -> Any:
        """Release it, if it still may be released now; return an :class:`~auditor.approvals.deciding.Approved`.

        With an `agreement`, the id of a returned request, the actor agreed to it beforehand and its requester carries
        it out.
        """

    def end(self, store: Any, id: str, ending: Callable[[], Any]) -> Any:
        """Return what `ending` returns: it rejects or withdraws the request, and nothing is released."""
        return ending()

    @abstractmethod
    def review(self, store: Any, approval: Any) -> Any:
        """Return what a second person sees of it, an :class:`~auditor.approvals.review.Review`; nothing protected."""

    def counts_url(self, store: Any, approval: Any) -> str | None:
        """Return where what was released can be downloaded, if that has no page of its own."""
        return None

    def change_url(self, store: Any, approval: Any) -> str | None:
        """Return the page where the requester of a returned request asks for the change; None if there is none."""
        return None

    @abstractmethod
    def risk(self, store: Any, approval: Any, clock: Callable[[], float]) -> Any:
        """Return the risk before and after it, an :class:`~auditor.approvals.review.Risk`. Protected."""

    @abstractmethod
    def agreed(self, store: Any, approval: Any, change: Mapping[str, Any]) -> tuple[Mapping[str, Any], str]:
        """Return a change of it in its one form, and the terms of the request that it leads to.

        Raises
        ------
        BadInput
            If it is no change that discloses less.
        """
