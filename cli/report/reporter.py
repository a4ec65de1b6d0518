"""How each kind of subject writes its pages for `auditor report`; the registry of kinds names one for each."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cli.terminal.context import Context
from cli.terminal.reading import Reading

if TYPE_CHECKING:
    from auditor.core.finding import Verdict
    from auditor.policy import Policy


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """What page is wanted."""

    public: bool
    k: int | None
    policy: Path | None
    preset: str | None
    export: str | None
    reading: Reading
    roles: Path | None

    @property
    def edition(self) -> str:
        """`public` or `internal`."""
        return "public" if self.public else "internal"

    def asked(self, context: Context, policy_for: Callable[..., Policy]) -> Policy | None:
        """Return the policy that was asked for, here or in the settings; None where nobody asked.

        Parameters
        ----------
        context : Context
        policy_for : callable
            Returns the policy of a file or preset, with k overruled: that of a kind.
        """
        if (self.policy or self.preset or self.k or context.settings.policy) is None:
            return None
        return policy_for(context, self.policy, self.preset, k=self.k)


@dataclass(frozen=True, slots=True)
class ReportPage:
    """A page, and what the command answers beside it."""

    html: str
    passed: bool
    audit: Verdict | None = None
    """Of the original; None where the page does not look at it."""
    export: str | None = None
    verified: bool | None = None
    """Whether the released file satisfies its claim; None without a release."""


class Reporter(ABC):
    """Writes the pages of one kind of subject."""

    @abstractmethod
    def recognizes(self, path: Path, options: ReportOptions) -> bool:
        """Whether the name of a file, or what was said of it, tells that it is of this kind; it need not exist."""

    @abstractmethod
    def of_stored(
        self, context: Context, name: str, options: ReportOptions, phase: Callable[[str], None]
    ) -> ReportPage:
        """Return the page about a stored subject.

        Raises
        ------
        BadInput
            If options are about a file.
        Refused
            If the edition is public and there is nothing to say in public.
        """

    @abstractmethod
    def of_file(self, context: Context, path: Path, options: ReportOptions, phase: Callable[[str], None]) -> ReportPage:
        """Return the page about a file, which has no export.

        Raises
        ------
        BadInput
            If the file cannot be read, or an export or the public edition is wanted.
        """
