"""How each kind of subject writes its pages for `auditor report`; the registry of kinds names one for each."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
    policy: Policy | None
    """What was asked for, here or in the settings; None where nobody asked."""
    export: str | None
    reading: Reading
    roles: Path | None
    picture: bool = False
    """Whether a sample before and after is wanted."""
    missing: tuple[str, ...] = ()
    """What stands for a missing value in a text file of records."""

    @property
    def edition(self) -> str:
        """`public` or `internal`."""
        return "public" if self.public else "internal"

    def section(self, kind: str) -> Any:
        """Return the section of the policy about a kind, with k overruled; None where nobody asked for a policy."""
        if self.policy is None:
            return None
        section = getattr(self.policy, kind)
        return section if self.k is None else section.model_copy(update={"k": self.k})


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
