"""What `auditor start` knows of a file before it asks, and how each kind of subject leads on from there."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from auditor.formats.records.values import ValueCounts

if TYPE_CHECKING:
    from auditor.formats.records.columns import Column
    from cli.start.walk import Walk

Likeness = Literal[0, 1, 2]
"""A file cannot be of a kind, can be, or looks like it."""


@dataclass(frozen=True, slots=True)
class Looked:
    """A file, and what a look at it shows without a question."""

    path: Path
    columns: tuple[Column, ...] = ()
    """Names and types; none where it is no table of columns."""
    values: ValueCounts = field(default_factory=ValueCounts)

    @property
    def stem(self) -> str:
        """A name for it: that of the file, without what follows the first dot."""
        return self.path.name.split(".")[0]

    def names(self) -> tuple[str, ...]:
        """Return the names of the columns."""
        return tuple(column.name for column in self.columns)


class Guide(ABC):
    """Leads from a file of one kind to a release of it."""

    line: ClassVar[str]
    """What one line of such a file is, as an answer to choose."""

    @abstractmethod
    def likeness(self, looked: Looked) -> Likeness:
        """Return whether a file looks like one of this kind."""

    @abstractmethod
    def lead(self, walk: Walk, looked: Looked) -> None:
        """Ask what cannot be found out, and run the commands."""
